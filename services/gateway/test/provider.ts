/** OpenID provider for tests (oidc-provider on a loopback address). Tests choose its users and their claims. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

export interface TestProvider {
  readonly issuer: string
  /** Claims by login name. */
  readonly claimsOf: Map<string, Record<string, unknown>>
  /** Environment variables of a server that uses the provider; `prefix` such as `OIDC`. */
  settings(prefix: string, name: string): Record<string, string>
  /** Starts to respond to requests. Only these redirect URIs are allowed. */
  serve(...redirectUris: string[]): void
  stop(): Promise<void>
}

const CLIENT = { id: 'murmuration', secret: 'a-secret-between-us-two' }

/** Listens on a port, so that a server can be configured with it. It responds after `serve` was called with the server's redirect URI. */
export const startProvider = async (): Promise<TestProvider> => {
  const claimsOf = new Map<string, Record<string, unknown>>()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    claimsOf,
    serve(...redirectUris) {
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: CLIENT.id,
            client_secret: CLIENT.secret,
            redirect_uris: redirectUris,
            grant_types: ['authorization_code'],
            response_types: ['code'],
          },
        ],
        claims: {
          openid: ['sub'],
          email: ['email', 'email_verified'],
          profile: ['name', 'preferred_username'],
        },
        pkce: { required: () => true },
        cookies: { keys: ['a key for the cookies of a test'] },
        findAccount: (_ctx, id) => ({
          accountId: id,
          claims: async () => ({ sub: id, ...claimsOf.get(id) }),
        }),
      })
      server.on('request', provider.callback())
    },
    settings: (prefix, name) => ({
      [`${prefix}_ENABLED`]: 'true',
      [`${prefix}_DISPLAY_NAME`]: name,
      [`${prefix}_ISSUER`]: issuer,
      [`${prefix}_CLIENT_ID`]: CLIENT.id,
      [`${prefix}_CLIENT_SECRET`]: CLIENT.secret,
      [`${prefix}_ALLOW_ADDRESSES`]: '127.0.0.0/8',
    }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
