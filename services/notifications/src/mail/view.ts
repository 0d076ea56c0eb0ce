/** Renders an e-mail as text and as simple HTML. */
import { escapeHtml } from '@murmuration/text'
import type { MailText } from './mail.rules.js'

export interface WrittenMail {
  text: string
  html: string
}

const WIDTH = 76

/** Wraps text to lines of at most 76 characters, except longer words. Existing line breaks stay. */
const wrap = (text: string, prefix = ''): string =>
  text
    .split('\n')
    .map((line) => {
      const lines: string[] = ['']
      for (const word of line.split(' ')) {
        const last = lines.at(-1) ?? ''
        if (last !== '' && prefix.length + last.length + 1 + word.length > WIDTH) lines.push(word)
        else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
      }
      return lines.map((one) => `${prefix}${one}`.trimEnd()).join('\n')
    })
    .join('\n')

const textOf = (greeting: string, mail: MailText): string => {
  const { quotes = [], button, after = [] } = mail
  return [
    greeting,
    ...mail.paragraphs.map((one) => wrap(one)),
    ...quotes.map(({ title, text, href }) =>
      [wrap(title), ...(text ? [wrap(text, '> ')] : []), ...(href ? [href] : [])].join('\n'),
    ),
    ...(button ? [`${button.label}:\n${button.href}`] : []),
    ...(after.length ? [`-- \n${after.map((one) => wrap(one)).join('\n')}`] : []),
  ]
    .join('\n\n')
    .concat('\n')
}

const STYLE = {
  body: 'margin:0;padding:24px 12px;background:#f4f5f6;color:#1b1f23;font:16px/1.5 system-ui,sans-serif',
  card: 'max-width:560px;margin:0 auto;background:#fff;border-radius:12px;padding:28px',
  button:
    'display:inline-block;padding:12px 22px;border-radius:9px;background:#1f6f75;color:#fff;font-weight:600;text-decoration:none',
  quote: 'margin:6px 0 0;padding:0 0 0 12px;border-left:3px solid #cfd6d9',
  small: 'max-width:560px;margin:16px auto 0;color:#5b6670;font-size:13px;overflow-wrap:anywhere',
}

/** Escapes a text of an account as HTML (A150), and converts its line breaks. */
const asHtml = (text: string): string => escapeHtml(text).replaceAll('\n', '<br>')

const htmlOf = (greeting: string, mail: MailText, language: string, copyLink: string): string => {
  const { quotes = [], button, after = [] } = mail
  const quoted = quotes.map(({ title, text, href }) => {
    const head = href ? `<a href="${escapeHtml(href)}" style="color:#1f6f75">${asHtml(title)}</a>` : asHtml(title)
    return `<div style="margin:16px 0"><b>${head}</b>${text ? `<blockquote style="${STYLE.quote}">${asHtml(text)}</blockquote>` : ''}</div>`
  })
  const pressed = button
    ? `<p><a href="${escapeHtml(button.href)}" style="${STYLE.button}">${asHtml(button.label)}</a></p>`
    : ''
  const copied = button ? `<p>${asHtml(copyLink)}<br>${escapeHtml(button.href)}</p>` : ''
  const links = after.map((one) =>
    asHtml(one).replace(/https?:\/\/\S+/g, (address) => `<a href="${address}" style="color:#5b6670">${address}</a>`),
  )
  return `<!doctype html>
<html lang="${escapeHtml(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${asHtml(mail.subject)}</title></head>
<body style="${STYLE.body}"><div style="${STYLE.card}">
${[greeting, ...mail.paragraphs].map((one) => `<p>${asHtml(one)}</p>`).join('\n')}
${quoted.join('\n')}${pressed}</div>
<div style="${STYLE.small}">${copied}${links.map((one) => `<p>${one}</p>`).join('')}</div></body></html>
`
}

export const writtenMail = (
  mail: MailText,
  { greeting, language, copyLink }: { greeting: string; language: string; copyLink: string },
): WrittenMail => ({ text: textOf(greeting, mail), html: htmlOf(greeting, mail, language, copyLink) })
