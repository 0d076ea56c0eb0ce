/** Pages of Mastodon below a profile, such as `/@name/followers`. */

/** Last parts of the paths of these pages. This server redirects them to the profile. */
export const PROFILE_PARTS = ['with_replies', 'media', 'followers', 'following', 'featured', 'collections'] as const

const PAGE = new RegExp(`^(/(?:web/)?@[^/]+)/(?:${PROFILE_PARTS.join('|')})/?$`)

/**
 * The path of the profile to which the page at this path belongs. Other paths are returned unchanged.
 *
 * @example profilePath('/@bob/followers') // '/@bob'
 */
export const profilePath = (path: string): string => path.replace(PAGE, '$1')
