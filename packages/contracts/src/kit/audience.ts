/** Audience of an operation, and what its handler learns of the caller. */
import { z } from 'zod'

/** The signed-in person behind a user token. Ids are decimal strings. */
export interface Viewer {
  /** Account id. */
  readonly id: string
  readonly userId: string
  /** Effective role permission bits. */
  readonly permissions: number
  /** Position of the role; higher overrides lower. */
  readonly position: number
  readonly locale: string
}

/** Everything the edge proved about a request. Travels in the `Caller` header of the bus. */
export interface Caller {
  readonly viewer: Viewer | null
  /** The application and token behind the request, when a token was given. */
  readonly app: { readonly id: string; readonly tokenId: string; readonly scopes: readonly string[] } | null
  /** Peer address as the edge saw it; null for calls between services. */
  readonly ip: string | null
  readonly userAgent: string | null
}

/** The header as it is read: whoever sent it, nothing but this is believed of it (D078). */
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
  /** Any one of these suffices; empty means any token will do. */
  readonly scopes: readonly string[]
  /** Role permission that staff needs; of several, separated by `|`, any one suffices. */
  readonly permission?: string
  /** Account states that other operations refuse and this one accepts. */
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

/** A signed-in person, with any one of these scopes: `user('read|read:statuses')`. */
export const user = audience('user')
/** Signed in or not; a token that is sent must be valid and hold one of the scopes. */
export const optional = audience('optional')
/** Any valid token, also one without a person behind it. */
export const app = audience('app')
/** Everybody; a token is ignored. */
export const anyone = (): Audience<'anyone'> => ({ kind: 'anyone', scopes: [] })
/** Other services only; has no route. */
export const internal = (): Audience<'internal'> => ({ kind: 'internal', scopes: [] })

/** Type of the handler's `viewer` for each kind of audience. */
export type ViewerFor<K extends AudienceKind> = K extends 'user' ? Viewer : Viewer | null
