/** Proposes user names for identities of external providers. */

const MAX_USERNAME_CHARACTERS = 30

/** Proposed user names, best first: from the name at the provider, else from the local part of the e-mail address. */
export const namesFor = (username: string | null, email: string | null): string[] => {
  const base = (username ?? email ?? '')
    .split('@', 1)[0]
    ?.normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, MAX_USERNAME_CHARACTERS)
  if (!base) return []
  const numbered = Array.from({ length: 8 }, (_, i) => `${base.slice(0, MAX_USERNAME_CHARACTERS - 2)}_${i + 2}`)
  return [base, ...numbered]
}

/** Abbreviates an e-mail address: `a…@mail.example`. The owner recognises the abbreviated address, and others do not learn it. */
export const hintOf = (email: string): string => {
  const at = email.lastIndexOf('@')
  return `${email.slice(0, 1)}…${email.slice(at)}`
}
