/** Content negotiation: whether an Accept header prefers a JSON document or an HTML page. */

const JSON_TYPES = /^application\/(?:activity\+json|ld\+json|json|jrd\+json)$/
const PAGE_TYPES = /^(?:text\/html|application\/xhtml\+xml)$/

type Preference = { type: string; weight: number }

const preferences = (accept: string): Preference[] =>
  accept
    .slice(0, 2_048)
    .split(',')
    .map((entry) => {
      const [type = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
      const q = parameters.map((it) => /^q=([\d.]+)$/.exec(it)?.[1]).find((it) => it !== undefined)
      const weight = q === undefined ? 1 : Number(q)
      return { type, weight: Number.isFinite(weight) ? weight : 0 }
    })

const best = (all: readonly Preference[], matches: RegExp): number =>
  Math.max(0, ...all.filter((it) => matches.test(it.type)).map((it) => it.weight))

/** Whether a header prefers an HTML page over every JSON document, as browsers do. */
export const wantsPage = (accept: string): boolean => {
  const all = preferences(accept)
  const page = best(all, PAGE_TYPES)
  return page > 0 && page > best(all, JSON_TYPES)
}

/** Whether the header names a JSON type. */
export const wantsJson = (accept: string): boolean => best(preferences(accept), JSON_TYPES) > 0
