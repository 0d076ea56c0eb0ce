/** Content of an e-mail before it is rendered: paragraphs, quotes and one button. */
import type { Arguments, Literal } from '@murmuration/messages'

export interface MailText {
  readonly subject: string
  readonly paragraphs: readonly string[]
  /** Texts of accounts that the e-mail quotes. */
  readonly quotes?: readonly { readonly title: string; readonly text: string; readonly href: string | null }[]
  readonly button?: { readonly label: string; readonly href: string } | undefined
  /** Paragraphs in small print at the end of the e-mail. */
  readonly after?: readonly string[]
}

/** Data that texts of e-mails may contain. */
export interface MailContext {
  /** Title of this server, for the texts of e-mails. */
  readonly site: string
  /** Handle of the recipient, with `@`. */
  readonly handle: string
  readonly values: Readonly<Record<string, string>>
}

/** Texts of one kind of e-mail. `button`: the label of the button with its link. */
export interface MailPartText {
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly button?: string
}

export type MailPart = (context: MailContext) => MailPartText

/** Translates a message of the message catalogue into the language of the recipient. */
export type Translate = <const Text extends string>(message: Literal<Text>, args?: Arguments) => string

/** Text for an e-mail header, without line breaks and control characters, limited in length (D068). */
export const headerText = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 250)
