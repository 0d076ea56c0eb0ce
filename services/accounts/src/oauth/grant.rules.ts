/** Decides the scopes of a token, and whether passwords may be exchanged for tokens. */
import { parseScopes, scopesWithin } from '@murmuration/contracts/scopes'

/**
 * Returns the requested scopes. Returns null if a scope is unknown or not among the scopes of the application. A
 * request without scopes means `read`.
 */
export const requestedScopes = (wanted: string | undefined, held: readonly string[]): string[] | null => {
  const scopes = parseScopes(wanted?.trim() || 'read')
  return scopesWithin(scopes, held) ? scopes : null
}

/** Whether applications may exchange passwords for tokens. `auto` permits the password grant except in production. */
export const passwordGrantAllowed = (
  setting: 'auto' | 'true' | 'false',
  mode: 'production' | 'development' | 'test',
): boolean => (setting === 'auto' ? mode !== 'production' : setting === 'true')
