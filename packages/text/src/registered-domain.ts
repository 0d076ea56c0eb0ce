/** Whose name a host stands below, for limits that hold for all hosts of somebody together. */

/**
 * The name that somebody registered, near enough for a limit: the last two labels, three where the second looks like
 * `co.uk`. An address stands for itself.
 */
export const registeredDomain = (host: string): string => {
  const name = host.replace(/:\d+$/, '').toLowerCase()
  if (/^[\d.]+$|^\[/.test(name)) return host
  const labels = name.split('.')
  const isShort = labels.length > 2 && (labels.at(-2)?.length ?? 0) <= 3 && labels.at(-1)?.length === 2
  return labels.slice(isShort ? -3 : -2).join('.')
}
