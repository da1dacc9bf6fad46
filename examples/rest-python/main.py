"""A partner over /v1 with nothing but Python's own library: a customer, consent, a claim, the profile, the withdrawal."""

import base64
import datetime
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

API = os.environ.get("API", "http://localhost:4000")
PASSING = {"idempotency_in_progress", "rate_limited", "unavailable", "internal_error"}


def access_token():
    """Takes an access token by client credentials."""
    credentials = f"{os.environ['CLIENT_ID']}:{os.environ['CLIENT_SECRET']}"
    request = urllib.request.Request(
        f"{API}/oauth/token",
        data=urllib.parse.urlencode({"grant_type": "client_credentials"}).encode(),
        headers={"Authorization": "Basic " + base64.b64encode(credentials.encode()).decode()},
    )
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.load(response)["access_token"]


class Refused(Exception):
    """An answer of the service that is an error; `code` is its code."""

    def __init__(self, status, error):
        super().__init__(f"{status} {error['code']}: {error['message']}")
        self.code = error["code"]


def call(token, method, path, body=None):
    """Sends a request, and again with the same key while the answer says that it may pass."""
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    if method != "GET":
        headers["Idempotency-Key"] = str(uuid.uuid4())
    data = None if body is None else json.dumps(body).encode()
    for attempt in range(1, 6):
        request = urllib.request.Request(API + path, data=data, headers=headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return json.load(response)
        except urllib.error.HTTPError as failure:
            error = json.load(failure)["error"]
            if error["code"] not in PASSING or attempt == 5:
                raise Refused(failure.code, error) from None
            time.sleep(float(failure.headers.get("Retry-After", 0.2 * 2**attempt)))


def main():
    token = access_token()
    customer = call(token, "POST", "/v1/customers", {"external_id": "rest-python-1"})["customer"]
    receipt = call(
        token,
        "POST",
        "/v1/consent-receipts",
        {"customer_id": customer["id"], "purposes": ["personalization"], "terms_version": "2026-10"},
    )
    now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    claim = call(
        token,
        "POST",
        "/v1/claims",
        {
            "customer_id": customer["id"],
            "attribute": "home.city",
            "value": "Lisbon",
            "source": "crm",
            "observed_at": now,
            "consent_purpose": "personalization",
            "confidence": 0.9,
            "provenance": {"source_partner": "Example", "collected_at": now},
        },
    )
    while call(token, "GET", claim["status_url"].removeprefix(API))["status"] in ("accepted", "running"):
        time.sleep(0.1)
    profile_path = f"/v1/profiles/{customer['id']}?consent_purpose=personalization"
    for fact in call(token, "GET", profile_path)["facts"]:
        print(f"{fact['attribute']} = {json.dumps(fact['resolved_value'])}")
    call(token, "POST", f"/v1/consent-receipts/{receipt['id']}/revoke", {"reason": "user_request"})
    try:
        call(token, "GET", profile_path)
    except Refused as refused:
        print(f"after the withdrawal: {refused.code}")
        return 0
    return 1


if __name__ == "__main__":
    sys.exit(main())
