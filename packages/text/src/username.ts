/** Usernames that are reserved, also when written with digits that resemble letters. */

/** Usernames that are reserved if the whole name is equal. */
export const RESERVED_USERNAMES: readonly string[] = [
  'abuse',
  'account',
  'accounts',
  'admin',
  'administration',
  'administrator',
  'admins',
  'help',
  'helpdesk',
  'instance',
  'mod',
  'moderator',
  'moderators',
  'mods',
  'owner',
  'root',
  'security',
  'server',
  'staff',
  'support',
  'webmaster',
]

/** Texts that no username may contain. */
export const RESERVED_IN_USERNAMES: readonly string[] = ['mastodon', 'mastadon']

const LOOK_ALIKES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '2': 'z',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '9': 'g',
}

/**
 * A name in lower case, with digits replaced by the letters that they resemble. Reserved names are compared in this
 * form.
 */
export const foldUsername = (name: string): string =>
  name.toLowerCase().replace(/[0-9]/g, (digit) => LOOK_ALIKES[digit] ?? digit)

const EXACT = new Set(RESERVED_USERNAMES.map(foldUsername))
const INSIDE = RESERVED_IN_USERNAMES.map(foldUsername)

/**
 * Whether a username is reserved for the operators of the server.
 *
 * @example reservedUsername('4dm1n') // true
 */
export function reservedUsername(name: string): boolean {
  const folded = foldUsername(name)
  return EXACT.has(folded) || INSIDE.some((part) => folded.includes(part))
}
