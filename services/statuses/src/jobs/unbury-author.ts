/** Forgets what an author took back before its server began again, so that addresses may come again; a page at a time, safe to repeat. */
import { unburyAuthor as contract } from '@murmuration/contracts/statuses'
import { work } from '../doors.js'
import { freeAddresses } from '../store/erase.js'
import { unbury } from '../store/tombstone.js'

const PAGE = 1_000

export const unburyAuthor = work(contract, (ctx, page) =>
  ctx.db.tx(async (tx) => {
    const gone = await unbury(tx, page.author, new Date(page.before), PAGE)
    await freeAddresses(
      tx,
      gone.flatMap((one) => one.status ?? []),
    )
    if (gone.length === PAGE) await ctx.queue(tx, contract, page)
  }),
)
