/** Which scopes a grant gets: what was asked for, when the application holds each of them literally. */
import { parseScopes, scopesWithin } from '@murmuration/contracts/scopes'

/** The scopes, or null when the wish is too wide or unknown. No wish means `read`. */
export const requestedScopes = (wish: string | undefined, held: readonly string[]): string[] | null => {
  const scopes = parseScopes(wish?.trim() || 'read')
  return scopesWithin(scopes, held) ? scopes : null
}
