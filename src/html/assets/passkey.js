// Signs in with a passkey, or makes one. Without this, or without passkeys in the browser, what is marked
// `data-passkey` stays hidden.
(() => {
  const place = document.querySelector('[data-passkey]');
  if (!place || !window.PublicKeyCredential) return;
  const form = place.closest('form');
  const password = place === form ? null : form.elements.password;
  place.hidden = false;
  // The first choice where there are passkeys; without this script the password is the only one.
  if (place.dataset.passkey === 'get') {
    const other = form.parentNode.querySelector('form');
    other.before(form);
    other.querySelector('button').classList.add('quiet');
  }
  if (password) form.querySelector('button:not([type])').classList.add('quiet');

  const bytes = (text) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
      character.charCodeAt(0),
    );
  const text = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer)))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '');
  const named = (list) => list?.map((item) => ({ ...item, id: bytes(item.id) }));

  const create = async (options) => {
    const publicKey = {
      ...options,
      challenge: bytes(options.challenge),
      user: { ...options.user, id: bytes(options.user.id) },
      excludeCredentials: named(options.excludeCredentials),
    };
    const made = await navigator.credentials.create({ publicKey });
    const { clientDataJSON, attestationObject } = made.response;
    const transports = made.response.getTransports?.() ?? [];
    const response = {
      clientDataJSON: text(clientDataJSON),
      attestationObject: text(attestationObject),
      transports,
    };
    return { id: made.id, rawId: made.id, type: made.type, clientExtensionResults: {}, response };
  };

  const get = async (options) => {
    const publicKey = {
      ...options,
      challenge: bytes(options.challenge),
      allowCredentials: named(options.allowCredentials),
    };
    const found = await navigator.credentials.get({ publicKey });
    const { clientDataJSON, authenticatorData, signature, userHandle } = found.response;
    const response = {
      clientDataJSON: text(clientDataJSON),
      authenticatorData: text(authenticatorData),
      signature: text(signature),
      ...(userHandle ? { userHandle: text(userHandle) } : {}),
    };
    return { id: found.id, rawId: found.id, type: found.type, clientExtensionResults: {}, response };
  };

  // A second run beside the first would make another passkey, and another account.
  let isRunning = false;
  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    const problem = place.querySelector('[role=alert]');
    problem.hidden = true;
    try {
      const body = new URLSearchParams(new FormData(form));
      body.delete('password');
      const answer = await fetch(place.dataset.options, { method: 'POST', body });
      // To the sign-in: there is none, or it is too old to add a passkey.
      if (answer.redirected) return location.assign(answer.url);
      if (!answer.ok) throw new Error(String(answer.status));
      const options = await answer.json();
      const credential = await (place.dataset.passkey === 'create' ? create(options) : get(options));
      form.elements.credential.value = JSON.stringify(credential);
      if (place.dataset.action) form.action = place.dataset.action;
      if (password) password.value = '';
      form.submit();
    } catch {
      problem.hidden = false;
    } finally {
      const end = () => {
        isRunning = false;
      };
      // The page is left within this time (ms), unless the browser's Stop keeps it.
      setTimeout(end, problem.hidden ? 10_000 : 0);
    }
  };

  if (place === form)
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      run();
    });
  else
    place.querySelector('button').addEventListener('click', () => {
      const others = [...form.elements].filter((field) => field !== password);
      if (others.every((field) => field.reportValidity())) run();
    });
})();
