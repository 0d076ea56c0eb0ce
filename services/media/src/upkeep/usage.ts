/** Task that adds up the sizes of stored files in windows, so that no statement reads a whole table. */
import { taskKind } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { attachmentSums, pictureSums } from './store.js'

const WINDOW = 20_000

export const usageKind = taskKind<Context>()<Record<string, never>>({
  name: 'media-usage',
  permission: 'view_devops',
  act: () => ({ action: 'remove_media', target: '' }),
  async apply(_ctx, tx, { after }) {
    const [table = 'attachments', id = '0'] = after === '' ? [] : after.split(':')
    const isFirst = table === 'attachments'
    const { seen, last, sums } = await (isFirst ? attachmentSums : pictureSums)(tx, id, WINDOW)
    const isEnd = seen < WINDOW || last === null
    return {
      next: isEnd ? (isFirst ? 'pictures:0' : null) : `${table}:${last}`,
      seen,
      changed: 0,
      notes: sums,
    }
  },
})
