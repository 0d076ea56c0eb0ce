/** Writes the part of ASN.1 DER (X.690) that X.509 certificates need. */

/** Writes one DER element: tag, definite length, content. */
export const der = (tag: number, ...content: Buffer[]): Buffer => {
  const body = Buffer.concat(content)
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body])
}

const lengthOf = (length: number): Buffer => {
  if (length < 0x80) return Buffer.from([length])
  const bytes: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  return Buffer.from([0x80 | bytes.length, ...bytes])
}

/** Writes a SEQUENCE. */
export const sequence = (...items: Buffer[]): Buffer => der(0x30, ...items)
/** Writes a SET. Its items must be in the order of DER. */
export const set = (...items: Buffer[]): Buffer => der(0x31, ...items)
/** Writes an OCTET STRING. */
export const octets = (content: Buffer): Buffer => der(0x04, content)
/** Writes a UTF8String. */
export const utf8 = (text: string): Buffer => der(0x0c, Buffer.from(text, 'utf8'))

/** Writes an INTEGER: a number from 0 to 127, or the bytes of a large positive number with a leading 0 bit. */
export const integer = (value: number | Buffer): Buffer =>
  der(0x02, typeof value === 'number' ? Buffer.from([value]) : value)

/** Writes a BIT STRING. `unused`: number of bits at the end of the last byte that are not part of the string. */
export const bits = (content: Buffer | number[], unused = 0): Buffer =>
  der(0x03, Buffer.from([unused]), Buffer.from(content))

/** Writes an object identifier that is given in dotted form. */
export const objectId = (dotted: string): Buffer => {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const base128 = (value: number): number[] => {
    const digits = [value & 0x7f]
    for (let left = value >>> 7; left > 0; left >>>= 7) digits.unshift((left & 0x7f) | 0x80)
    return digits
  }
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

/** Writes a time: UTCTime up to 2049, GeneralizedTime after 2049 (RFC 5280 section 4.1.2.5). */
export const time = (date: Date): Buffer => {
  const digits = date.toISOString().replace(/\D/g, '').slice(0, 14)
  return date.getUTCFullYear() < 2050
    ? der(0x17, Buffer.from(`${digits.slice(2)}Z`, 'latin1'))
    : der(0x18, Buffer.from(`${digits}Z`, 'latin1'))
}
