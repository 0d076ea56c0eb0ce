/** Formats backup codes, and parses typed ones. */

export const BACKUP_CODES = 10

/** 32 letters and digits. 0, i, l and o are left out, because they are easily confused. */
const ALPHABET = '123456789abcdefghjkmnpqrstuvwxyz'

/** Formats ten bytes as `abcd-efgh-jkmn-pqrs`: 16 characters with 80 bits. */
export const backupCodeOf = (bytes: Uint8Array): string => {
  let bits = 0n
  for (const byte of bytes.subarray(0, 10)) bits = (bits << 8n) | BigInt(byte)
  const text = Array.from({ length: 16 }, (_, i) => ALPHABET[Number((bits >> BigInt(75 - i * 5)) & 31n)]).join('')
  return text.replace(/(.{4})(?=.)/g, '$1-')
}

/** Returns a typed backup code in lower case, without spaces and dashes; null if the text cannot be a backup code. */
export const typedBackupCode = (typed: string): string | null => {
  const text = typed.toLowerCase().replace(/[\s-]/g, '')
  return text.length === 16 ? text.replace(/(.{4})(?=.)/g, '$1-') : null
}
