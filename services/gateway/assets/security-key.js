// Requests a passkey or security key from the browser, and submits the form with its response.
;(() => {
  const form = document.getElementById('key-form')
  if (!form) return
  // Error messages are in attributes of the form, in the language of the page.
  const { kind, options, unable, known, silent } = form.dataset
  const problem = document.getElementById('key-problem')
  const button = form.querySelector('button')

  const bytesOf = (text) => {
    const binary = atob(text.replace(/-/g, '+').replace(/_/g, '/'))
    return Uint8Array.from(binary, (character) => character.charCodeAt(0))
  }
  const textOf = (buffer) => {
    let binary = ''
    for (const byte of new Uint8Array(buffer)) binary += String.fromCharCode(byte)
    return btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
  }
  const listed = (keys) => (keys || []).map((key) => ({ ...key, id: bytesOf(key.id) }))

  const ask = () => {
    const given = JSON.parse(options)
    const publicKey = { ...given, challenge: bytesOf(given.challenge) }
    if (kind === 'get')
      return navigator.credentials.get({
        publicKey: { ...publicKey, allowCredentials: listed(given.allowCredentials) },
      })
    publicKey.user = { ...given.user, id: bytesOf(given.user.id) }
    publicKey.excludeCredentials = listed(given.excludeCredentials)
    return navigator.credentials.create({ publicKey })
  }

  const written = ({ id, rawId, type, response }) => {
    const answer = { clientDataJSON: textOf(response.clientDataJSON) }
    if (kind === 'get') {
      answer.authenticatorData = textOf(response.authenticatorData)
      answer.signature = textOf(response.signature)
      if (response.userHandle) answer.userHandle = textOf(response.userHandle)
    } else {
      answer.attestationObject = textOf(response.attestationObject)
      answer.transports = response.getTransports ? response.getTransports() : []
    }
    return JSON.stringify({ id, rawId: textOf(rawId), type, clientExtensionResults: {}, response: answer })
  }

  const say = (text) => {
    problem.textContent = text
    problem.hidden = false
    button.disabled = false
  }

  form.addEventListener('submit', (event) => {
    if (form.elements.credential.value) return
    event.preventDefault()
    if (!window.PublicKeyCredential) {
      say(unable)
      return
    }
    problem.hidden = true
    button.disabled = true
    ask().then(
      (credential) => {
        form.elements.credential.value = written(credential)
        form.submit()
      },
      (error) => say(error.name === 'InvalidStateError' ? known : silent),
    )
  })
  form.hidden = false
})()
