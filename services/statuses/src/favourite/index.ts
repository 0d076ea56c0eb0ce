/** The exports of this module for other modules. */
export { favourite, unfavourite } from './favourite.js'
export { favouriteByUri, renameFavourite, uriOfFavourite } from './store.js'
