/** Names for people who come from another provider. */

const LONGEST = 30

/** Names to offer, the best first: what the provider calls them, else what stands before the @ of their address. */
export const namesFor = (username: string | null, email: string | null): string[] => {
  const base = (username ?? email ?? '')
    .split('@', 1)[0]
    ?.normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, LONGEST)
  if (!base) return []
  const numbered = Array.from({ length: 8 }, (_, i) => `${base.slice(0, LONGEST - 2)}_${i + 2}`)
  return [base, ...numbered]
}

/** `a…@mail.example`: enough to recognise one's own address, not enough to learn another's. */
export const hintOf = (email: string): string => {
  const at = email.lastIndexOf('@')
  return `${email.slice(0, 1)}…${email.slice(at)}`
}
