/** Schemas of OAuth: applications, tokens and server metadata. */
import { z } from 'zod'
import { AnyScope, PublishedScope } from '../scopes.js'
import { Id, Timestamp, Url } from './primitive.js'

const unixSeconds = z.int().nonnegative()

const applicationShape = {
  id: Id,
  name: z.string().min(1),
  website: Url.nullable(),
  scopes: z.array(AnyScope),
  redirect_uris: z.array(z.string()),
  /** All redirect URIs of the application, joined by newlines. */
  redirect_uri: z.string(),
  /** VAPID public key of the server; empty if the server has none. */
  vapid_key: z.string(),
}

export const Application = z
  .strictObject(applicationShape)
  .meta({ id: 'Application', description: 'A registered application.' })
export type Application = z.infer<typeof Application>

/** A newly registered OAuth application. Only this response contains the client secret, which never expires. */
export const CredentialApplication = z
  .strictObject({
    ...applicationShape,
    client_id: z.string().min(1),
    client_secret: z.string().min(1),
    client_secret_expires_at: z.literal(0),
  })
  .meta({ id: 'CredentialApplication', description: 'A registered application with its credentials.' })
export type CredentialApplication = z.infer<typeof CredentialApplication>

/**
 * An access token (RFC 6749 section 5.1) without an expiry: it is valid until it is revoked. `scope` contains scopes
 * separated by spaces.
 */
export const Token = z
  .strictObject({
    access_token: z.string().min(1),
    token_type: z.literal('Bearer'),
    scope: z.string(),
    created_at: unixSeconds,
  })
  .meta({ id: 'Token', description: 'An access token.' })
export type Token = z.infer<typeof Token>

/** Data of an access token. `resource_owner_id` is null for the token of an application without a user. */
export const TokenInfo = z
  .strictObject({
    resource_owner_id: Id.nullable(),
    scope: z.array(AnyScope),
    /** Seconds until the token expires; null for a token without expiry. */
    expires_in: z.int().nonnegative().nullable(),
    application: z.strictObject({ uid: z.string().min(1) }),
    created_at: unixSeconds,
  })
  .meta({ id: 'TokenInfo', description: 'The token this request was made with.' })
export type TokenInfo = z.infer<typeof TokenInfo>

/** State of a token (RFC 7662). For an inactive token, the response has no further members. */
export const TokenIntrospection = z
  .discriminatedUnion('active', [
    z.strictObject({
      active: z.literal(true),
      scope: z.string(),
      client_id: z.string().min(1),
      token_type: z.literal('Bearer'),
      iat: unixSeconds,
      /** Expiry of the token in Unix seconds; absent for a token without expiry. */
      exp: unixSeconds.optional(),
    }),
    z.strictObject({ active: z.literal(false) }),
  ])
  .meta({ id: 'TokenIntrospection', description: 'Whether a token is active, and what it may do.' })
export type TokenIntrospection = z.infer<typeof TokenIntrospection>

/** Claims about the user of a token (OpenID Connect Core section 5.1). `iss` ends in a slash, `sub` is the actor id. */
export const UserInfo = z
  .strictObject({
    iss: Url,
    sub: Url,
    name: z.string(),
    preferred_username: z.string().min(1),
    profile: Url,
    picture: Url,
  })
  .meta({ id: 'UserInfo', description: 'The user of the token.' })
export type UserInfo = z.infer<typeof UserInfo>

/** Metadata of the authorization server (RFC 8414). `issuer` ends in a slash. */
export const OAuthServerMetadata = z
  .strictObject({
    issuer: Url,
    service_documentation: Url,
    authorization_endpoint: Url,
    token_endpoint: Url,
    app_registration_endpoint: Url,
    revocation_endpoint: Url,
    userinfo_endpoint: Url,
    scopes_supported: z.array(PublishedScope),
    response_types_supported: z.tuple([z.literal('code')]),
    response_modes_supported: z.array(z.enum(['query', 'fragment', 'form_post'])),
    grant_types_supported: z.array(z.enum(['authorization_code', 'client_credentials', 'password'])),
    token_endpoint_auth_methods_supported: z.array(z.enum(['client_secret_basic', 'client_secret_post'])),
    code_challenge_methods_supported: z.tuple([z.literal('S256')]),
  })
  .meta({ id: 'OAuthServerMetadata', description: 'How to obtain tokens here.' })
export type OAuthServerMetadata = z.infer<typeof OAuthServerMetadata>

/** An application that the user authorized. */
export const AuthorizedApplication = z
  .strictObject({ id: Id, name: z.string().min(1), created_at: Timestamp })
  .meta({ id: 'AuthorizedApplication', description: 'An application that the user authorized.' })
export type AuthorizedApplication = z.infer<typeof AuthorizedApplication>
