/** The rules people agree to. */
import { ruleList } from '@murmuration/contracts/admin'
import { handle } from '../../doors.js'
import { rulesInForce } from '../../store/rule.js'
import { ruleOf } from '../../views/rule.js'

export const list = handle(ruleList, async (ctx) => (await rulesInForce(ctx.db)).map(ruleOf))
