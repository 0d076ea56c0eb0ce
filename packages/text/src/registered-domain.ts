/** The registered domain of a host. Limits per registered domain apply to all hosts of one owner together. */

/**
 * Approximate registered domain: the last two labels, or three if the second looks like `co.uk`. An IP address is
 * returned unchanged.
 */
export const registeredDomain = (host: string): string => {
  const name = host.replace(/:\d+$/, '').toLowerCase()
  if (/^[\d.]+$|^\[/.test(name)) return host
  const labels = name.split('.')
  const isShort = labels.length > 2 && (labels.at(-2)?.length ?? 0) <= 3 && labels.at(-1)?.length === 2
  return labels.slice(isShort ? -3 : -2).join('.')
}
