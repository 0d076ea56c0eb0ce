/** Rules for user names, e-mail addresses and passwords of local users. */

import { errorText } from '@murmuration/contracts/kit'
import { LOCAL_USERNAME, MAX_EMAIL, reservedUsername } from '@murmuration/text'
import { type Problem, problem, tooLong } from '../problem.rules.js'

/** Problems of a user name. Reserved names may be assigned by operators only. */
export const usernameProblems = (username: string, mayBeReserved: boolean): Problem[] => {
  if (username.trim() === '') return [problem('username', 'ERR_BLANK', "can't be blank")]
  if (username.length > 30) return [tooLong('username', 30)]
  if (!LOCAL_USERNAME.test(username))
    return [problem('username', 'ERR_INVALID', 'must contain only letters, numbers and underscores')]
  return !mayBeReserved && reservedUsername(username) ? [problem('username', 'ERR_RESERVED', 'is reserved')] : []
}

// Pattern of one e-mail address without unusual characters in its local part. Quotes, per cent signs and commas are refused because
// they can redirect mail (A097).
const EMAIL = /^[A-Za-z0-9.!#$&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/

export const emailProblems = (email: string): Problem[] => {
  if (email === '')
    return [problem('email', 'ERR_BLANK', "can't be blank"), problem('email', 'ERR_INVALID', 'is invalid')]
  if (email.length > MAX_EMAIL) return [tooLong('email', MAX_EMAIL)]
  const [local = '', domain = ''] = email.split('@')
  if (/[^\x00-\x7f]/.test(local))
    return [
      problem('email', 'ERR_INVALID', 'must contain only letters of the Latin alphabet without accents before the @'),
    ]
  const dots = /\.\.|^\.|\.$/
  return EMAIL.test(email) && !dots.test(local) && !dots.test(domain)
    ? []
    : [problem('email', 'ERR_INVALID', 'is invalid')]
}

/**
 * Minimum and maximum length of a password in Unicode code points. The NFC form is counted, because it is hashed. All
 * kinds of characters are allowed and passwords are never truncated (D003).
 */
export const PASSWORD = { min: 8, max: 128 } as const

/**
 * Problems of a password. `near`: public names, such as the user name and the domain of this server. Passwords like
 * these names are refused because attackers try them first. `common`: reports whether a password is on the list of
 * common ones.
 */
export const passwordProblems = (
  password: string,
  { common, near = [] }: { common?: (password: string) => boolean; near?: readonly string[] } = {},
): Problem[] => {
  const typed = password.normalize('NFC')
  const length = [...typed].length
  if (password === '') return [problem('password', 'ERR_BLANK', "can't be blank")]
  if (length < PASSWORD.min)
    return [
      problem(
        'password',
        'ERR_TOO_SHORT',
        errorText('is too short (minimum is {least} characters)', { least: PASSWORD.min }),
      ),
    ]
  if (length > PASSWORD.max)
    return [
      problem(
        'password',
        'ERR_TOO_LONG',
        errorText('is too long (maximum is {most} characters)', { most: PASSWORD.max }),
      ),
    ]
  const plain = typed.trim().toLowerCase()
  if (near.some((name) => name.toLowerCase() === plain) || common?.(plain))
    return [problem('password', 'ERR_INVALID', 'is too common')]
  return []
}
