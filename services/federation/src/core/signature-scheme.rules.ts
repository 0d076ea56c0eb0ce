/** Signature schemes for requests to other servers. */

/** The position of each scheme is the number that `lanes` stores, so the order stays and new schemes are added at the end. */
export const signatureSchemes = ['cavage', 'cavage-without-query', 'rfc9421'] as const
export type SignatureScheme = (typeof signatureSchemes)[number]

export const isSignatureScheme = (text: string | null): text is SignatureScheme =>
  signatureSchemes.some((one) => one === text)
