/** Fake media service: responds with the data of the test's `FakeData`. */
import { toJson } from '@murmuration/contracts/kit'
import * as media from '@murmuration/contracts/media'
import { type App, type BaseContext, handlersFor, service } from '@murmuration/kernel'
import type { FakeData, File } from './data.js'

const { handle } = handlersFor<BaseContext>()
const recordOf = ({ owner: _owner, status: _status, ready: _ready, ...record }: File): media.AttachmentRecord => record

export const mediaApp = (fakes: FakeData): App => {
  const files = (ids: readonly string[]): File[] => ids.flatMap((id) => fakes.files.get(id) ?? [])
  const operations = [
    handle(media.attachmentCards, async (_ctx, _viewer, { ids }) => {
      fakes.asked.push('media.attachment.cards')
      return new Map(
        files(ids).map((file) => [
          file.id,
          toJson({
            id: file.id,
            type: file.type,
            url: file.url,
            preview_url: file.preview_url ?? file.url,
            remote_url: file.remote_url,
            preview_remote_url: null,
            text_url: null,
            meta: null,
            description: file.description,
            blurhash: file.blurhash,
          }),
        ]),
      )
    }),
    handle(media.findEmojis, async (_ctx, _viewer, { shortcodes }) => ({
      emojis: shortcodes
        .filter((one) => one === 'flock')
        .map((shortcode) => ({
          shortcode,
          url: 'https://here.example/f.gif',
          static_url: 'https://here.example/f.png',
        })),
    })),
    handle(media.attachmentRecords, async (_ctx, _viewer, { ids }) => ({ records: files(ids).map(recordOf) })),
    handle(media.takeAttachments, async (ctx, _viewer, { owner, ids, status, edits, from, formerHolders }) => {
      const holders = [null, status, from, ...(formerHolders ?? [])]
      const mine = files(ids).filter((file) => file.owner === owner && holders.includes(file.status))
      const missing = ids.filter((id) => !mine.some((file) => file.id === id))
      const unprocessed = mine.filter((file) => !file.ready).map((file) => file.id)
      if (missing.length || unprocessed.length) return { taken: [], missing, unprocessed }
      for (const file of mine) {
        file.status = status
        const edit = edits?.find((one) => one.id === file.id)
        if (edit?.description !== undefined) file.description = edit.description
        if (edit?.focus) file.focus = edit.focus
        if (edit?.thumbnail) file.preview_url = `http://here.example/media/${edit.thumbnail.key}`
      }
      ctx.invalidations.send(media.attachmentInvalidation, ids)
      return { taken: mine.map(recordOf), missing, unprocessed }
    }),
    handle(media.releaseAttachments, async (_ctx, _viewer, { status, ids }) => {
      const held = [...fakes.files.values()].filter(
        (file) => [status].flat().includes(file.status ?? '') && (!ids || ids.includes(file.id)),
      )
      for (const file of held) file.status = null
      return { released: held.length }
    }),
    handle(media.returnAttachments, async (_ctx, _viewer, { attempts, scheduled, ids }) => {
      const found = files(ids).filter((file) => attempts.includes(file.status ?? ''))
      for (const file of found) file.status = scheduled
      return { returned: found.length }
    }),
    handle(media.reservedAttachments, async (_ctx, _viewer, { limit }) => ({
      items: fakes.reservedFiles.slice(0, limit),
    })),
    handle(media.checkedAttachments, async (_ctx, _viewer, { items }) => {
      const current = items.filter(({ id, status }) => fakes.files.get(id)?.status === status)
      for (const { id, holder } of current) Object.assign(fakes.files.get(id) ?? {}, { status: holder })
      const checked = new Set(items.map((one) => one.id))
      const again = items
        .filter((one) => one.scheduled)
        .map((one) => ({ ...one, owner: fakes.files.get(one.id)?.owner ?? '' }))
      fakes.reservedFiles = [...fakes.reservedFiles.filter((one) => !checked.has(one.id)), ...again]
      return { changed: current.length }
    }),
    handle(media.recheckAttachments, async (_ctx, _viewer, { status, ids }) => {
      const found = files(ids).filter((file) => file.status === status)
      const since = new Date().toISOString()
      fakes.reservedFiles.push(...found.map(({ id, owner }) => ({ id, owner, status, since })))
      return { changed: found.length }
    }),
    handle(media.putRemoteAttachments, async (_ctx, _viewer, { owner, status, domain, attachments, keepOthers }) => {
      const isGone = (file: File) => file.status === status && !attachments.some((one) => one.url === file.remote_url)
      for (const file of keepOthers ? [] : [...fakes.files.values()].filter(isGone)) fakes.files.delete(file.id)
      const ids = attachments.map((one) => {
        fakes.asked.push(`media.attachment.put-remote for ${domain}`)
        // Pictures of preview cards have no account as owner.
        const fakeAccount = fakes.fakeAccounts.get(owner) ?? { id: owner }
        const known = [...fakes.files.values()].find((file) => file.status === status && file.remote_url === one.url)
        return (known ?? fakes.file(fakeAccount, { ...one, type: 'image', remote_url: one.url, status })).id
      })
      const since = new Date().toISOString()
      if (keepOthers) fakes.reservedFiles.push(...ids.map((id) => ({ id, owner, status, since })))
      return { ids }
    }),
    handle(media.proxyUrls, async (_ctx, _viewer, { items }) => {
      const urls = Object.fromEntries(
        items.map(({ remote }) => [remote, `http://here.example/proxy/${encodeURIComponent(remote)}`]),
      )
      return { urls, static_urls: urls }
    }),
  ]
  return {
    manifest: service('media', {
      operations,
      invalidations: [media.attachmentInvalidation],
      roles: { api: { operations: true, ticks: true, scales: 'tests', needs: [] } },
    }),
    createContext: (base) => base,
  }
}
