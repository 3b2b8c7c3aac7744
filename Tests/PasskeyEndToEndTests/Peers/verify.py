"""Verifies ceremonies with other people's relying parties: one JSON object a line in, one verdict a line out."""
import base64
import json
import sys

import webauthn
from fido2.attestation import Attestation, verify_x509_chain
from fido2.cose import CoseKey
from fido2.server import Fido2Server
from fido2.webauthn import AttestedCredentialData, PublicKeyCredentialRpEntity
from webauthn.helpers.cose import COSEAlgorithmIdentifier
from webauthn.helpers.structs import AttestationFormat


def octets(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def offered(job):
    return job.get("algorithms") or [job["algorithm"]]


def check_webauthn(job):
    common = dict(
        credential=job["response"],
        expected_challenge=octets(job["challenge"]),
        expected_rp_id=job["rpId"],
        expected_origin=job["origin"],
        require_user_verification=job.get("userVerification", "required") == "required",
    )
    if job["operation"] == "registration":
        known = set(COSEAlgorithmIdentifier)
        algorithms = [COSEAlgorithmIdentifier(number) for number in offered(job) if number in known]
        roots = {}
        if "root" in job:
            # With a root, the chain must lead to it.
            roots = {AttestationFormat(job["format"]): [job["root"].encode()]}
        verified = webauthn.verify_registration_response(
            supported_pub_key_algs=algorithms, pem_root_certs_bytes_by_fmt=roots, **common
        )
        # An adversary may send another format: whether that is refused is the question.
        assert "algorithms" in job or verified.fmt == job["format"], verified.fmt
        return verified.credential_public_key
    webauthn.verify_authentication_response(
        credential_public_key=octets(job["publicKey"]),
        credential_current_sign_count=job["signCount"],
        **common,
    )
    return None


def statement_verifier(root):
    def verify(attestation, client_data_hash):
        verifier = Attestation.for_type(attestation.fmt)()
        result = verifier.verify(attestation.att_stmt, attestation.auth_data, client_data_hash)
        if root:
            verify_x509_chain(result.trust_path + [octets(root)])

    return verify


def check_fido2(job):
    server = Fido2Server(
        PublicKeyCredentialRpEntity(name="Example", id=job["rpId"]),
        attestation="direct",
        verify_origin=lambda origin: origin == job["origin"],
        verify_attestation=statement_verifier(job.get("rootDER")),
    )
    state = {"challenge": job["challenge"], "user_verification": job.get("userVerification", "required")}
    if job["operation"] == "registration":
        data = server.register_complete(state, job["response"])
        key = data.credential_data.public_key
        # It does not compare with what was offered: that is its caller's part.
        assert any(CoseKey.for_alg(number) is type(key) for number in offered(job)), type(key)
        return None
    from fido2 import cbor

    known = job.get("credentials") or [{"id": job["response"]["rawId"], "publicKey": job["publicKey"]}]
    credentials = [
        AttestedCredentialData.create(
            bytes(16), octets(each["id"]), CoseKey.parse(cbor.decode(octets(each["publicKey"])))
        )
        for each in known
    ]
    server.authenticate_complete(state, credentials, job["response"])
    return None


PEERS = {"webauthn": check_webauthn, "fido2": check_fido2}

for line in sys.stdin:
    job = json.loads(line)
    try:
        PEERS[job["peer"]](job)
        verdict = {"accepted": True}
    except Exception as error:  # Whatever a peer throws is a refusal, and its words are the reason.
        verdict = {"accepted": False, "reason": f"{type(error).__name__}: {error}"[:300]}
    print(json.dumps(verdict), flush=True)
