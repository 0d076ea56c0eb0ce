/** Account JSON by id, for everybody who shows accounts. */
import { accountCards } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { cardsOf } from '../../views/account-cards.js'

export const getCards = handle(accountCards, (ctx, _viewer, { ids }) => cardsOf(ctx, ids))
