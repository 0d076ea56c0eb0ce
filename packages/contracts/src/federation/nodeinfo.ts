/** Operations that return NodeInfo documents: public metadata of the server. */
import { anyone, get, nothing, operation, raw } from '../kit/index.js'

export const listNodeInfo = operation('federation.nodeinfo.list', {
  http: get('/.well-known/nodeinfo'),
  viewer: anyone(),
  input: nothing(),
  output: raw('application/json; charset=utf-8'),
  about: 'Links to the NodeInfo document and to the instance actor.',
})

export const showNodeInfo = operation('federation.nodeinfo.show', {
  http: get('/nodeinfo/2.0'),
  viewer: anyone(),
  input: nothing(),
  output: raw('application/json; profile="http://nodeinfo.diaspora.software/ns/schema/2.0#"; charset=utf-8'),
  about: 'NodeInfo 2.0: software, protocols and counts.',
})
