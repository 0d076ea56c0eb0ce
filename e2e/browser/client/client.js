/**
 * A small web client on an origin of its own. It signs in through a popup as Phanpy does: the redirect page posts the
 * code to its opener, and the opener polls `window.closed` to notice a cancelled sign-in. All API calls go through masto.js.
 */
import { createOAuthAPIClient, createRestAPIClient, createStreamingAPIClient } from 'masto'

const url = new URLSearchParams(location.search).get('server')
const redirectUri = `${location.origin}/redirect.html`
const scopes = 'read write follow push'
const find = (id) => document.getElementById(id)
const say = (text) => {
  find('state').textContent = text
}

const anonymous = createRestAPIClient({ url })
const app = await anonymous.v1.apps.create({ clientName: 'Test client', redirectUris: redirectUri, scopes })
find('sign-in').disabled = false
say('Ready')

/** Resolves with the code, or null when the window was closed without one. */
const codeFrom = (popup, state) =>
  new Promise((resolve) => {
    const timer = setInterval(() => {
      if (popup.closed) finish(null)
    }, 200)
    const receive = ({ origin, source, data }) => {
      if (origin === location.origin && source === popup && data.state === state) finish(data.code)
    }
    const finish = (code) => {
      clearInterval(timer)
      removeEventListener('message', receive)
      resolve(code)
    }
    addEventListener('message', receive)
  })

const follow = async (streamingApiUrl, accessToken) => {
  const events = createStreamingAPIClient({ streamingApiUrl, accessToken }).user.subscribe()
  for await (const { event, payload } of events) {
    if (event !== 'update') continue
    const item = document.createElement('li')
    item.innerHTML = payload.content
    find('timeline').append(item)
  }
}

find('sign-in').addEventListener('click', async () => {
  const state = crypto.randomUUID()
  const query = { client_id: app.clientId, redirect_uri: redirectUri, response_type: 'code', scope: scopes, state }
  const popup = open(`${url}/oauth/authorize?${new URLSearchParams(query)}`, '_blank', 'popup,width=520,height=720')
  say('Waiting for the popup')
  const code = await codeFrom(popup, state)
  if (code === null) return say('Sign-in was cancelled')
  popup.close()
  const { clientId, clientSecret } = app
  const oauth = createOAuthAPIClient({ url })
  const { accessToken } = await oauth.token.create({
    clientId,
    clientSecret,
    redirectUri,
    code,
    grantType: 'authorization_code',
  })
  const api = createRestAPIClient({ url, accessToken })
  const { acct } = await api.v1.accounts.verifyCredentials()
  const { configuration } = await api.v2.instance.fetch()
  void follow(configuration.urls.streaming, accessToken)
  find('compose').addEventListener('submit', async (event) => {
    event.preventDefault()
    const { id } = await api.v1.statuses.create({ status: find('text').value, visibility: 'public' })
    say(`Published ${id}`)
  })
  find('compose').hidden = false
  say(`Signed in as ${acct}`)
})
