/** Backup codes: how they look, and what of them counts when somebody types one. */

export const BACKUP_CODES = 10

/** Letters and digits that nobody mixes up, 32 of them. */
const ALPHABET = '123456789abcdefghjkmnpqrstuvwxyz'

/** Ten bytes as `abcd-efgh-jkmn-pqrs`: 16 characters, 80 bits. */
export const backupCodeOf = (bytes: Uint8Array): string => {
  let bits = 0n
  for (const byte of bytes.subarray(0, 10)) bits = (bits << 8n) | BigInt(byte)
  const text = Array.from({ length: 16 }, (_, i) => ALPHABET[Number((bits >> BigInt(75 - i * 5)) & 31n)]).join('')
  return text.replace(/(.{4})(?=.)/g, '$1-')
}

/** A typed code without spaces, dashes and case; null if it cannot be a backup code. */
export const typedBackupCode = (typed: string): string | null => {
  const text = typed.toLowerCase().replace(/[\s-]/g, '')
  return text.length === 16 ? text.replace(/(.{4})(?=.)/g, '$1-') : null
}
