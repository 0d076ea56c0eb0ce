/** Parses ids of dead letters of all services, and selects the parts of a message that staff may see. */
import { isOwner, type Owner } from '@murmuration/contracts/kernel'
import { isId } from '@murmuration/contracts/kit'

export interface DeadLetterId {
  owner: Owner
  /** Id of the dead letter within its service. */
  id: string
}

export const idOf = ({ owner, id }: DeadLetterId): string => `${owner}-${id}`

/** Parses the id of a dead letter, which contains the service; null if it is invalid. */
export const parseDeadLetterId = (given: string): DeadLetterId | null => {
  const [, owner = '', id = ''] = /^([a-z]+)-(\d{1,19})$/.exec(given) ?? []
  return isOwner(owner) && isId(id) ? { owner, id } : null
}

/** Matches names of JSON members whose values staff may never see. */
const SECRET = /token|secret|password|passphrase|otp|signature|session|credential|email|private|\bkey\b|link/i

/** Matches texts that staff may see: ids, times, days, names of states, and handles. */
const PLAIN =
  /^(?:-?\d{1,19}|\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?|[a-z][a-z0-9_-]{0,39}|@?[a-z0-9_.]{1,64}@[a-z0-9.-]{1,253})$/i
const HOST = /^(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}(?::\d{1,5})?$/i

/** A URL without query and fragment, which may contain secrets; null for other texts. */
const addressOf = (text: string): string | null => {
  if (!/^https?:\/\//.test(text) || text.length > 2_048) return null
  const url = URL.parse(text)
  return url && url.username === '' ? `${url.origin}${url.pathname}${url.search || url.hash ? ' […]' : ''}` : null
}

export interface Shown {
  content: unknown
  /** Number of texts in the message that are hidden from staff. */
  hidden: number
}

/** The content of a message that staff may see. A text is shown only if it cannot be private. */
export const shownOf = (data: string): Shown => {
  let hidden = 0
  const hide = (text: string): string => {
    hidden++
    return `[hidden: ${text.length} characters]`
  }
  const textShown = (text: string): string =>
    PLAIN.test(text) || HOST.test(text) ? text : (addressOf(text) ?? hide(text))
  const shown = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return value.map((one) => shown(one, name))
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shown(one, key)]))
    if (typeof value !== 'string') return value
    return SECRET.test(name) ? hide(value) : textShown(value)
  }
  try {
    return { content: shown(JSON.parse(data), ''), hidden }
  } catch {
    return { content: hide(data), hidden }
  }
}

/** The reason of a dead letter, in which the queries of URLs are removed. */
export const reasonShown = (reason: string): string =>
  reason.replaceAll(/(https?:\/\/[^\s?#]+)[?#]\S*/g, '$1 […]').slice(0, 1_000)
