/** Scopes of a grant, and whether the password grant is on. */
import { parseScopes, scopesWithin } from '@murmuration/contracts/scopes'

/** The scopes, or null when the wish is too wide or unknown. No wish means `read`. */
export const requestedScopes = (wish: string | undefined, held: readonly string[]): string[] | null => {
  const scopes = parseScopes(wish?.trim() || 'read')
  return scopesWithin(scopes, held) ? scopes : null
}

/** Whether applications may send passwords: a switch that is off in production unless somebody turned it on. */

export const passwordGrantAllowed = (
  setting: 'auto' | 'true' | 'false',
  mode: 'production' | 'development' | 'test',
): boolean => (setting === 'auto' ? mode !== 'production' : setting === 'true')
