/** What the server says about obtaining tokens (RFC 8414). */
import { oauthMetadata } from '@murmuration/contracts/accounts'
import { SCOPES } from '@murmuration/contracts/scopes'
import { passwordGrantAllowed } from '../../domain/password-grant.js'
import { handle } from '../../doors.js'

export const showMetadata = handle(oauthMetadata, async (ctx) => {
  const { origin } = ctx.site
  const withPassword = !ctx.config.externalOnly && passwordGrantAllowed(ctx.config.passwordGrant, ctx.common.mode)
  return {
    issuer: `${origin}/`,
    service_documentation: `${origin}/api/openapi.json`,
    authorization_endpoint: `${origin}/oauth/authorize`,
    token_endpoint: `${origin}/oauth/token`,
    app_registration_endpoint: `${origin}/api/v1/apps`,
    revocation_endpoint: `${origin}/oauth/revoke`,
    userinfo_endpoint: `${origin}/oauth/userinfo`,
    scopes_supported: [...SCOPES],
    response_types_supported: ['code' as const] as ['code'],
    response_modes_supported: ['query' as const, 'fragment' as const, 'form_post' as const],
    grant_types_supported: [
      'authorization_code' as const,
      'client_credentials' as const,
      ...(withPassword ? (['password'] as const) : []),
    ],
    token_endpoint_auth_methods_supported: ['client_secret_basic' as const, 'client_secret_post' as const],
    code_challenge_methods_supported: ['S256' as const] as ['S256'],
  }
})
