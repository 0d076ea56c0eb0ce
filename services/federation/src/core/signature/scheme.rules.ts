/** Schemes of HTTP signatures for requests to other servers. */

/**
 * All signature schemes. The table `lanes` stores the index of a scheme, so the order must not change. New schemes are
 * added at the end.
 */
export const signatureSchemes = ['cavage', 'cavage-without-query', 'rfc9421'] as const
export type SignatureScheme = (typeof signatureSchemes)[number]

export const isSignatureScheme = (text: string | null): text is SignatureScheme =>
  signatureSchemes.some((one) => one === text)
