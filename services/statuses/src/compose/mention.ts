/**
 * Resolves the mentions of a text: one request for all known handles, and a limited number of lookups at other servers.
 */
import { type AccountRecord, resolveAccount, showAuthor } from '@murmuration/contracts/accounts'
import { fail, type ResultOf } from '@murmuration/contracts/kit'
import type { Site } from '@murmuration/kernel'
import { handleKey, type MentionTarget, mentionsIn, normaliseDomain } from '@murmuration/text'
import type { Context } from '../context.js'
import { relationshipsOf } from '../core/viewer/relationships.js'

/**
 * `MAX_HANDLES`: maximum number of handles of one text that are resolved. `MAX_OUTSIDE`: maximum number of these that
 * are looked up at other servers.
 */
const MAX_HANDLES = 200
const MAX_OUTSIDE = 10

export interface Mentioned {
  /** Records of the mentioned accounts, in the order of the text, without duplicates. */
  mentionedAccounts: AccountRecord[]
  /** Mention targets for rendering, by the `handleKey` of canonical handles. */
  targets: Map<string, MentionTarget>
  /** Canonical handles by the `handleKey` of the typed handle. */
  accts: Map<string, string>
}

/** Distinct handles of a text in the form that accounts uses: `name`, or `name@domain`. At most 200. */
export const handlesIn = (text: string, site: Pick<Site, 'handleDomains'>): string[] =>
  [...new Set(mentionsIn(text).map((token) => handleKey(token, site.handleDomains)))].slice(0, MAX_HANDLES)

const keyOf = (record: Pick<AccountRecord, 'username' | 'domain'>): string => {
  const name = record.username.toLowerCase()
  return record.domain === null ? name : `${name}@${normaliseDomain(record.domain) ?? record.domain.toLowerCase()}`
}

/**
 * Looks up at most ten handles at their servers. Returns pairs of the typed handle and the record, which may have
 * another canonical handle.
 */
const resolveRemote = async (ctx: Context, handles: readonly string[]): Promise<[string, AccountRecord][]> => {
  const found = await Promise.all(
    handles.slice(0, MAX_OUTSIDE).map((handle) =>
      ctx.call(resolveAccount, { handle }, { timeoutMs: ctx.config.resolveMs }).then(
        ({ record }): [string, AccountRecord | null] => [handle, record],
        // A handle whose server does not respond stays plain text, because posting does not wait for other servers.
        (): [string, null] => [handle, null],
      ),
    ),
  )
  return found.filter((pair): pair is [string, AccountRecord] => pair[1] !== null)
}

/**
 * Accounts that a text mentions. Unknown, suspended and unusable accounts are omitted, and accounts that the author or
 * a domain block of the author blocks.
 * @param known records that are already loaded
 */
export const mentionsOf = async (
  ctx: Context,
  author: string,
  text: string,
  known: readonly AccountRecord[],
): Promise<Mentioned> => {
  const handles = handlesIn(text, ctx.site)
  const byKey = new Map(known.map((record) => [keyOf(record), record]))
  const unknown = handles.filter((handle) => handle.includes('@') && !byKey.has(handle))
  for (const [handle, record] of await resolveRemote(ctx, unknown)) byKey.set(handle, record)
  const relationships = await relationshipsOf(
    ctx,
    author,
    handles.flatMap((handle) => byKey.get(handle)?.id ?? []),
  )
  const wanted = (record: AccountRecord): boolean => {
    if (record.suspended || !record.usable) return false
    if (record.id === author) return true
    const relationship = relationships.get(record.id)
    return relationship !== undefined && !relationship.blocking && !relationship.domain_blocking
  }
  const found = handles.flatMap((handle) => {
    const record = byKey.get(handle)
    return record && wanted(record) ? [[handle, record] as const] : []
  })
  return {
    mentionedAccounts: [...new Map(found.map(([, record]) => [record.id, record])).values()],
    // Keys are canonical handles, because the text is rewritten to them before it is rendered.
    targets: new Map(
      found.map(([, record]) => [keyOf(record), { url: record.url, username: record.username, acct: record.acct }]),
    ),
    accts: new Map(found.map(([handle, record]) => [handle, record.acct])),
  }
}

/** The author, their posting defaults, and the known accounts that a text mentions, in one request. */
export const loadAuthor = (ctx: Context, author: string, text: string): Promise<ResultOf<typeof showAuthor.output>> =>
  ctx.call(showAuthor, { id: author, handles: handlesIn(text, ctx.site) })

/** Throws if no status may be published in the name of the author. A scheduled status may be due after its author moved. */
export const refuseInactive = ({
  author,
  disabled,
}: Pick<ResultOf<typeof showAuthor.output>, 'author' | 'disabled'>): void => {
  if (author.suspended || author.moved_to_id !== null || disabled)
    throw fail('forbidden', 'Your login is currently disabled')
}
