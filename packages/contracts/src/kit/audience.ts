/** Audience of an operation, and the caller data that its handler gets. */
import { z } from 'zod'

/** The account of a user token, as handlers get it. Ids are decimal strings. */
export interface Viewer {
  /** Account id of the viewer. */
  readonly id: string
  readonly userId: string
  /** Permission bits of the account's role and the default role. */
  readonly permissions: number
  /** Position of the account's role. Roles with higher positions outrank roles with lower ones. */
  readonly position: number
  readonly locale: string
}

/** Verified data of a request. A caller is sent in the `Caller` header of the bus. */
export interface Caller {
  readonly viewer: Viewer | null
  /** Application and token of the request; null if the request has no token. */
  readonly app: { readonly id: string; readonly tokenId: string; readonly scopes: readonly string[] } | null
  /** IP address of the client as the gateway determined it; null for calls between services. */
  readonly ip: string | null
  readonly userAgent: string | null
}

/** Schema of the `Caller` header on the bus. Members that it does not list are ignored (D078). */
export const CallerHeader: z.ZodType<Caller> = z.object({
  viewer: z
    .object({
      id: z.string(),
      userId: z.string(),
      permissions: z.number(),
      position: z.number(),
      locale: z.string(),
    })
    .nullable(),
  app: z.object({ id: z.string(), tokenId: z.string(), scopes: z.array(z.string()) }).nullable(),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
})

export type AudienceKind = 'user' | 'optional' | 'app' | 'anyone' | 'internal'

export interface Audience<K extends AudienceKind = AudienceKind> {
  readonly kind: K
  /** Scopes of which the token needs one. An empty list allows any token. */
  readonly scopes: readonly string[]
  /** Role permission that staff needs. If several permissions are given, separated by `|`, one of them suffices. */
  readonly permission?: string
  /** States of the account in which this operation is allowed although other operations are refused. */
  readonly evenIf?: readonly ('unconfirmed' | 'unapproved')[]
}

type More = Pick<Audience, 'permission' | 'evenIf'>
const audience =
  <K extends AudienceKind>(kind: K) =>
  (scopes = '', more: More = {}): Audience<K> => ({
    kind,
    scopes: scopes.split(/[|\s]+/).filter(Boolean),
    ...more,
  })

/** Audience of an operation that requires a user token with one of these scopes: `user('read|read:statuses')`. */
export const user = audience('user')
/** Audience of an operation for which a token is optional. A token that is sent must be valid and have one of the scopes. */
export const optional = audience('optional')
/** Audience of an operation that requires a valid token, of a user or of an application. */
export const app = audience('app')
/** Audience of an operation for everyone. Tokens are ignored. */
export const anyone = (): Audience<'anyone'> => ({ kind: 'anyone', scopes: [] })
/** Audience of an operation without a route, which only other services can call. */
export const internal = (): Audience<'internal'> => ({ kind: 'internal', scopes: [] })

/** Type of the handler's `viewer` for each kind of audience. */
export type ViewerFor<K extends AudienceKind> = K extends 'user' ? Viewer : Viewer | null
