/** Which publisher a link belongs to, and whether a link may trend. */

/** Host of an address in lower case; null when the address has none. */
export const hostOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).hostname || null : null)

/** A host and the domains above it, the longest first, without the top-level domain. */
export const domainsOf = (host: string): string[] => {
  const labels = host.split('.')
  return labels.slice(0, Math.max(labels.length - 1, 1)).map((_, at) => labels.slice(at).join('.'))
}

/** The decision about the nearest domain that has one; null without any. */
export const decisionFor = (host: string | null, decided: ReadonlyMap<string, boolean>): boolean | null => {
  const domain = host === null ? undefined : domainsOf(host).find((one) => decided.has(one))
  return domain === undefined ? null : (decided.get(domain) ?? null)
}
