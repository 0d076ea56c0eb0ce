/** Rules of publishers: which domains a link belongs to, and whether it may trend. */

/** Host of an address in lower case; null if invalid. */
export const hostOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).hostname || null : null)

/** A host and its parent domains, longest first, without the top-level domain. */
export const domainsOf = (host: string): string[] => {
  const labels = host.split('.')
  return labels.slice(0, Math.max(labels.length - 1, 1)).map((_, at) => labels.slice(at).join('.'))
}

/**
 * Decision of staff about the host, or about the nearest of its parent domains that has a decision; null if none has.
 */
export const decisionFor = (host: string | null, decided: ReadonlyMap<string, boolean>): boolean | null => {
  const domain = host === null ? undefined : domainsOf(host).find((one) => decided.has(one))
  return domain === undefined ? null : (decided.get(domain) ?? null)
}
