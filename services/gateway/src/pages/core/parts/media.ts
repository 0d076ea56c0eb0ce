/** Media attachments on a page, with descriptions. Video and audio play without scripts. */
import type { MediaAttachment } from '@murmuration/contracts/entities'
import { webUrl } from '@murmuration/text'
import { type Html, html } from '../html.js'
import { t } from '../language.js'

const sizeOf = ({ meta }: MediaAttachment): Html | '' => {
  const small = meta?.small
  return small ? html` width="${small.width}" height="${small.height}"` : ''
}

const one = (media: MediaAttachment): Html | null => {
  const url = webUrl(media.url ?? media.remote_url)
  const preview = webUrl(media.preview_url)
  const text = media.description ?? ''
  if (url === null) return null
  if (media.type === 'image')
    return html`<a href="${url}"><img src="${preview ?? url}" alt="${text}" title="${text}"${sizeOf(media)} loading="lazy"></a>`
  if (media.type === 'video' || media.type === 'gifv')
    return html`<video src="${url}" controls preload="none"${media.type === 'gifv' ? html` loop muted` : ''}${preview ? html` poster="${preview}"` : ''} aria-label="${text || html`${t('Video')}`}"></video>`
  if (media.type === 'audio')
    return html`<audio src="${url}" controls preload="none" aria-label="${text || html`${t('Sound')}`}"></audio>`
  return html`<a href="${url}" rel="nofollow noopener">${t('File on another server')}</a>`
}

/** All media attachments of a status that have a URL; empty without attachments. */
export const mediaGrid = (attachments: readonly MediaAttachment[]): Html | '' => {
  const shown = attachments.map(one).filter((media) => media !== null)
  return shown.length ? html`<div class="media">${shown}</div>` : ''
}
