"""Plays another people's authenticator: one JSON object of options a line in, one response a line out."""
import base64
import json
import sys

from soft_webauthn import SoftWebauthnDevice


def octets(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def text(value):
    return base64.urlsafe_b64encode(value).decode("ascii").rstrip("=")


device = SoftWebauthnDevice()
for line in sys.stdin:
    job = json.loads(line)
    options = job["options"]
    options["challenge"] = octets(options["challenge"])
    if job["operation"] == "registration":
        options["user"]["id"] = octets(options["user"]["id"])
        made = device.create({"publicKey": options}, job["origin"])
    else:
        made = device.get({"publicKey": options}, job["origin"])
    response = {name: text(value) for name, value in made["response"].items()}
    identifier = text(made["rawId"])
    answer = {"id": identifier, "rawId": identifier, "type": made["type"], "response": response}
    print(json.dumps({**answer, "clientExtensionResults": {}}), flush=True)
