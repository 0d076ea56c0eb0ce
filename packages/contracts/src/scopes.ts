/** OAuth scopes of tokens: their hierarchy, and the check that every operation applies. */
import { z } from 'zod'

const writeScopes = [
  'write:accounts',
  'write:blocks',
  'write:bookmarks',
  'write:collections',
  'write:conversations',
  'write:favourites',
  'write:filters',
  'write:follows',
  'write:lists',
  'write:media',
  'write:mutes',
  'write:notifications',
  'write:reports',
  'write:statuses',
] as const
const readScopes = [
  'read:accounts',
  'read:blocks',
  'read:bookmarks',
  'read:collections',
  'read:favourites',
  'read:filters',
  'read:follows',
  'read:lists',
  'read:mutes',
  'read:notifications',
  'read:search',
  'read:statuses',
] as const
const adminReadScopes = [
  'admin:read:accounts',
  'admin:read:reports',
  'admin:read:domain_allows',
  'admin:read:domain_blocks',
  'admin:read:ip_blocks',
  'admin:read:email_domain_blocks',
  'admin:read:canonical_email_blocks',
] as const
const adminWriteScopes = [
  'admin:write:accounts',
  'admin:write:reports',
  'admin:write:domain_allows',
  'admin:write:domain_blocks',
  'admin:write:ip_blocks',
  'admin:write:email_domain_blocks',
  'admin:write:canonical_email_blocks',
] as const

/** All scopes in the order of publication. */
export const SCOPES = [
  'read',
  'profile',
  'write',
  ...writeScopes,
  ...readScopes,
  'follow',
  'push',
  'admin:read',
  ...adminReadScopes,
  'admin:write',
  ...adminWriteScopes,
] as const
export type Scope = (typeof SCOPES)[number]

/** Aliases of published scopes that are accepted, by alias. */
export const SCOPE_ALIASES = { 'read:me': 'profile' } as const satisfies Record<string, Scope>
export type ScopeAlias = keyof typeof SCOPE_ALIASES

/** An OAuth scope that the server publishes. */
export const PublishedScope = z.enum(SCOPES).meta({ id: 'Scope', description: 'A scope of a token.' })

/** A scope that clients may request and tokens store: a published scope or an alias. */
export const AnyScope = z
  .enum([...SCOPES, 'read:me'])
  .meta({ id: 'AnyScope', description: 'A scope or an alias of a scope.' })
export type AnyScope = z.infer<typeof AnyScope>

/** Scopes that other scopes imply. `follow` is deprecated. `profile` has no parent, so `read` does not imply it. */
const children: Partial<Record<Scope, readonly Scope[]>> = {
  read: readScopes,
  write: writeScopes,
  follow: ['read:blocks', 'read:follows', 'read:mutes', 'write:blocks', 'write:follows', 'write:mutes'],
  'admin:read': adminReadScopes,
  'admin:write': adminWriteScopes,
}

const known: ReadonlySet<string> = new Set<string>(SCOPES)

/** Returns the published name of a scope; undefined for an unknown scope. */
function canonical(name: string): Scope | undefined {
  if (Object.hasOwn(SCOPE_ALIASES, name)) return SCOPE_ALIASES[name as ScopeAlias]
  return known.has(name) ? (name as Scope) : undefined
}

/**
 * Returns all scopes that a list of granted scopes allows: the granted scopes under their published names, and the
 * scopes that they imply. Unknown names grant nothing.
 */
export function expandScopes(granted: readonly string[]): Scope[] {
  const all = new Set<Scope>()
  for (const name of granted) {
    const scope = canonical(name)
    if (!scope) continue
    all.add(scope)
    for (const child of children[scope] ?? []) all.add(child)
  }
  return SCOPES.filter((scope) => all.has(scope))
}

/** Whether the granted scopes, or the scopes that they imply, contain one of `anyOf`. An empty `anyOf` allows every token. */
export function scopeAllows(granted: readonly string[], anyOf: readonly string[]): boolean {
  if (anyOf.length === 0) return true
  const all: ReadonlySet<string> = new Set(expandScopes(granted))
  return anyOf.some((name) => {
    const scope = canonical(name)
    return scope !== undefined && all.has(scope)
  })
}

/** Whether every name is a known scope or alias. False for an empty list. */
export function validScopes(list: readonly string[]): boolean {
  return list.length > 0 && list.every((name) => canonical(name) !== undefined)
}

/** Splits a text of scopes separated by spaces or `+`. Removes duplicates and keeps the order. */
export function parseScopes(text: string): string[] {
  return [...new Set(text.split(/[\s+]+/).filter((name) => name !== ''))]
}

/**
 * Whether every requested scope is granted by name. An application that is registered with `read` may request `read`
 * but not `read:accounts`. An alias equals its scope. False if no scope is requested.
 */
export function scopesWithin(requested: readonly string[], held: readonly string[]): boolean {
  const holds = new Set(held.map(canonical))
  return requested.length > 0 && requested.every((name) => canonical(name) !== undefined && holds.has(canonical(name)))
}
