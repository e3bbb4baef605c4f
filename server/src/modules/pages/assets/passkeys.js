// Runs the passkey forms. Each has the options for the browser, and a hidden field for its response.
// Without scripts or passkey support the forms stay hidden, and the rest of the page works.
;(() => {
  const { browserSupportsWebAuthn, browserSupportsWebAuthnAutofill, startAuthentication, startRegistration } =
    globalThis.SimpleWebAuthnBrowser

  const faults = {
    NotAllowedError: 'It was not finished. Try again when you are ready.',
    ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: 'This device has a passkey for you already.',
    ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT:
      'This one cannot make sure that it is you. Set a PIN for it.',
    ERROR_INVALID_DOMAIN: 'This address of the server is not the one that passkeys are for.',
    ERROR_INVALID_RP_ID: 'This address of the server is not the one that passkeys are for.',
  }

  function send(form, response) {
    form.elements.namedItem('answer').value = JSON.stringify(response)
    form.submit()
  }

  function showError(form, error) {
    const place = form.querySelector('[role=alert]')
    place.textContent = faults[error.code] ?? faults[error.name] ?? 'The browser could not do it.'
    place.hidden = false
  }

  function prepare(form) {
    const optionsJSON = JSON.parse(form.dataset.options)
    const start = form.dataset.passkey === 'create' ? startRegistration : startAuthentication
    form.hidden = false
    form.addEventListener('submit', async (event) => {
      event.preventDefault()
      try {
        send(form, await start({ optionsJSON }))
      } catch (error) {
        showError(form, error)
      }
    })
    if (form.dataset.passkey === 'autofill') fillIn(form, optionsJSON)
  }

  /** Offers passkeys in the email field until the button is used. */
  async function fillIn(form, optionsJSON) {
    if (!(await browserSupportsWebAuthnAutofill())) return
    try {
      send(form, await startAuthentication({ optionsJSON, useBrowserAutofill: true }))
    } catch {
      // No passkey was chosen.
    }
  }

  if (browserSupportsWebAuthn()) document.querySelectorAll('form[data-passkey]').forEach(prepare)
  else document.querySelectorAll('[data-no-passkeys]').forEach((place) => (place.hidden = false))
})()
