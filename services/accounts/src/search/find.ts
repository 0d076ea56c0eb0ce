/** Finds the skeleton of an account search: ids of matching accounts, best first. */
import { displayDomain, earlierPrefixPhrases, foldText, nameTerms, prefixPhrases } from '@murmuration/text'
import type { Context } from '../context.js'
import { accountsByHandles } from '../core/account/store.js'
import { handleKeyOf } from '../core/address/handle.rules.js'
import { resolveAccount } from '../remote-account/index.js'
import { internationalDomains, isFollowee, searchAccounts } from './store.js'

export interface SearchQuery {
  viewer: string | null
  q: string
  limit: number
  offset: number
  resolve: boolean
  following: boolean
  /** True if only an account with exactly the handle `q` matches. */
  exact: boolean
}

/** Maximum number of phrases of one query. The maximum bounds the cost of the text search. */
const MAX_PHRASES = 10

interface Parts {
  name: string
  /** The search phrases in their present form, and in the form of the previous release if it differs. */
  forms: string[][][]
  domain: string | null
}

/** Matches a query with one `@`, and without spaces around it. Groups: name, beginning of the domain. */
const HANDLE = /^([^@]*[^@\s])@([^@\s][^@]*)$/

/**
 * Parses `name`, `@name` and `name@beginning-of-domain`. Other texts are words of a name. An internationalised domain is
 * searched as words, in its Unicode form.
 */
const partsOf = (q: string): Parts => {
  const bare = q.replace(/^@/, '')
  const [, name = bare.replace(/@$/, ''), typed = ''] = HANDLE.exec(bare) ?? []
  const domain = typed.trim().toLowerCase()
  const isAscii = /^[a-z0-9.-]+$/.test(domain)
  const phrasesBy = (parse: (text: string) => string[][]) => {
    const phrases = parse(name)
    return [...phrases, ...(phrases.length && !isAscii ? parse(domain) : [])].slice(0, MAX_PHRASES)
  }
  const [phrases, earlier] = [phrasesBy((text) => prefixPhrases(text)), phrasesBy(earlierPrefixPhrases)]
  const forms = JSON.stringify(phrases) === JSON.stringify(earlier) ? [phrases] : [phrases, earlier]
  return {
    name: name.trim().toLowerCase(),
    forms: forms.filter((form) => form.length > 0),
    domain: isAscii ? domain : null,
  }
}

/**
 * The account with this exact handle. With `resolve`, an unknown remote account is fetched for the first page. A search among
 * followees returns it only if the viewer follows it.
 */
const exactMatch = async (ctx: Context, query: SearchQuery): Promise<string | null> => {
  const key = handleKeyOf(query.q, ctx.site)
  if (!key) return null
  const among = query.following ? query.viewer : null
  const mayFetch = query.resolve && among === null && key.domain !== null && query.offset === 0
  const row = mayFetch
    ? await resolveAccount(ctx, { handle: `${key.username}@${key.domain}` }).catch(() => null)
    : ((await accountsByHandles(ctx.db, [key]))[0] ?? null)
  if (!row?.usable || row.suspended) return null
  return among === null || (await isFollowee(ctx.db, among, row.id)) ? row.id : null
}

/** Term that the index has of every internationalised domain, because its ASCII form contains `xn--`. */
const INTERNATIONAL = ['xn']

/** Internationalised domains of accounts with matching names, if their Unicode form without accents matches `domain`. */
const unicodeDomains = async (ctx: Context, forms: readonly string[][][], domain: string): Promise<string[]> => {
  // The labels of the domain are compared here and not in the index, because prefixes such as `social*` match very many accounts.
  const found = await internationalDomains(
    ctx.db,
    forms.map((form) => [...form, INTERNATIONAL]),
  )
  return found.filter((one) => `.${foldText(displayDomain(one))}`.includes(`.${domain}`))
}

export const findAccounts = async (ctx: Context, query: SearchQuery): Promise<string[]> => {
  const q = query.q.trim().replace(/^acct:/i, '')
  if (q === '' || query.limit === 0) return []
  const exact = await exactMatch(ctx, { ...query, q })
  const first = exact === null || query.offset > 0 ? [] : [exact]
  if (query.exact) return first
  const { name, domain, forms } = partsOf(q)
  if (forms.length === 0) return first
  const own = ctx.site.localDomain.toLowerCase()
  const shown = displayDomain(own)
  const labels = nameTerms(`${own}\n${shown}`)
  const isOwn = ([one = '']: readonly string[]) => labels.some((label) => label.startsWith(one.replace(/\*$/, '')))
  // The account with the exact handle is the first result of the first page. The other results do not contain it.
  const more = await searchAccounts(ctx.db, {
    ...query,
    without: exact,
    offset: exact === null ? query.offset : Math.max(0, query.offset - 1),
    phrases: forms,
    notOwnDomain: forms.flatMap((form) => {
      const others = form.filter((phrase) => !isOwn(phrase))
      return others.length === 0 || others.length === form.length ? [] : [others]
    }),
    name,
    domain,
    unicodeDomains: domain === null ? [] : await unicodeDomains(ctx, forms, domain),
    ownDomain:
      domain !== null &&
      (own.startsWith(domain) ||
        own.includes(`.${domain}`) ||
        // An internationalised domain is also found without accents.
        (own !== shown && prefixPhrases(domain).every(isOwn))),
  })
  return [...new Set([...first, ...more])].slice(0, query.limit)
}
