extension JSONValue: Codable {
    /// Decodes any value from another format's decoder.
    ///
    /// A decoder shows numbers as Swift's types and not as digits, and cannot show a member that stands twice: parse
    /// bytes with ``init(json:maximumDepth:)-([UInt8],_)`` where it matters.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: What the decoder throws.
    public init(from decoder: any Decoder) throws {
        // Decoding recurses, and the decoder's own limit may be far beyond what a thread's stack holds.
        guard decoder.codingPath.count <= 64 else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "JSON nested too deep"))
        }
        if let container = try? decoder.container(keyedBy: Name.self) {
            var members: [JSONObject.Member] = []
            for key in container.allKeys {
                members.append(JSONObject.Member(key.stringValue, try container.decode(JSONValue.self, forKey: key)))
            }
            self = .object(JSONObject(distinct: members))
        } else if var container = try? decoder.unkeyedContainer() {
            var elements: [JSONValue] = []
            while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
            self = .array(elements)
        } else {
            try self.init(single: decoder.singleValueContainer())
        }
    }

    private init(single container: any SingleValueDecodingContainer) throws {
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .number(JSONNumber(validated: "\(value)"))
        } else if let value = try? container.decode(UInt64.self) {
            self = .number(JSONNumber(validated: "\(value)"))
        } else if let value = JSONNumber(try container.decode(Double.self)) {
            self = .number(value)
        } else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a finite number")
        }
    }

    /// Encodes the value with another format's encoder; a number becomes an integer if it can, or the nearest double.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: What the encoder throws, and an error for a number that is too large for a double.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .bool(let value): try value.encode(to: encoder)
        case .string(let value): try value.encode(to: encoder)
        case .number(let number):
            if let value = Int64(number.text) {
                try value.encode(to: encoder)
            } else if let value = UInt64(number.text) {
                try value.encode(to: encoder)
            } else if let value = number.double {
                try value.encode(to: encoder)
            } else {
                let context = EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "too large")
                throw EncodingError.invalidValue(number.text, context)
            }
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .object(let object):
            var container = encoder.container(keyedBy: Name.self)
            for member in object { try container.encode(member.value, forKey: Name(stringValue: member.name)) }
        }
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) {
            self.stringValue = stringValue
        }

        init?(intValue: Int) {
            nil
        }
    }
}

extension JSONObject: Codable {
    /// Decodes an object from another format's decoder.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: What the decoder throws.
    public init(from decoder: any Decoder) throws {
        // Decoding recurses, and the decoder's own limit may be far beyond what a thread's stack holds.
        guard decoder.codingPath.count <= 64 else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "JSON nested too deep"))
        }
        guard case .object(let object) = try JSONValue(from: decoder) else {
            let context = DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "not an object")
            throw DecodingError.typeMismatch(JSONObject.self, context)
        }
        self = object
    }

    /// Encodes the object with another format's encoder.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        try JSONValue.object(self).encode(to: encoder)
    }
}
