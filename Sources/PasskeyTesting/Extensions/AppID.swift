import PasskeyModel

extension VirtualClient {
    /// Whether the page may use an AppID: FIDO's algorithm for a web page (FIDO AppID and Facet Specification §3.1.2).
    ///
    /// An AppID is a URL of `https` whose host has the registrable domain of the page's host. The list of facets that it
    /// might lead to is not fetched, as browsers do not fetch it either.
    func checkAppID(_ appID: String?, step: Int) throws(ClientError) {
        guard let appID else { return }
        guard let url = WebURL(appID), url.origin.isSecure, appID.utf8.starts(with: "https://".utf8),
            let host = url.origin.host, let own = Origin(serialized: origin)?.host,
            host.hasSameBytes(as: own)
                || publicSuffixes.registrableDomain(of: host).map({ domain in
                    publicSuffixes.registrableDomain(of: own)?.hasSameBytes(as: domain) ?? false
                }) ?? false
        else {
            throw ClientError(.security, .relyingPartyIdentifier, step: step, "the AppID \(appID) is not for \(origin)")
        }
    }
}

extension ClientError {
    /// Takes the inputs of extensions; what cannot be asked for is what the page catches.
    static func extensionInput<Value>(
        step: Int,
        _ body: () throws(ExtensionInputError) -> Value
    ) throws(ClientError) -> Value {
        do throws(ExtensionInputError) {
            return try body()
        } catch {
            throw ClientError(error.code == .syntax ? .syntax : .notSupported, .extensionInput, step: step, "\(error)")
        }
    }
}
