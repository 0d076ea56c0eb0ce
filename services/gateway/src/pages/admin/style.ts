/** The part of the style sheet for the pages below `/admin`: dense tables, badges, charts. */

export const ADMIN_STYLE = `
:root{--ok:#1d6b3a;--warn:#7a5200;--ok-wash:#e2f2e7;--warn-wash:#fbefd5;--bad-wash:#fbe6e5}
@media(prefers-color-scheme:dark){:root{--ok:#86d6a2;--warn:#e9bf6a;--ok-wash:#17301f;--warn-wash:#352a12;--bad-wash:#3a1f1f}}
body.staff{font-size:15px}
body.staff .bar>div,body.staff main,body.staff footer.site{max-width:88rem}
body.staff main{display:grid;grid-template-columns:12.5rem minmax(0,1fr);gap:1.75rem;align-items:start}
body.staff .sections a{padding:.18rem .75rem;font-size:.95rem}.menu{margin:0}.menu ul{gap:0}.menu p{margin:.6rem 0 .1rem;padding:0 .75rem;font-size:.8rem;font-weight:600;color:var(--soft)}
.menu>summary{padding:.5rem .75rem;border:1px solid var(--line);border-radius:11px;background:var(--paper)}.menu>summary span{margin-right:.6rem;color:var(--soft);font-weight:500}
@media(min-width:46.01rem) and (min-height:52rem){body.staff .sections{position:sticky;top:1rem}}
@media(min-width:46.01rem){@supports selector(::details-content){.menu::details-content{content-visibility:visible}.menu>summary{display:none}}}
body.staff .card{padding:1rem 1.15rem;border-radius:11px}body.staff h2{margin:1.5rem 0 .6rem}
.crumbs{margin:0 0 .2rem;font-size:.9rem}.states{display:inline-flex;gap:.3rem;flex-wrap:wrap}
.badge.ok,.badge.warn,.badge.bad{border-color:transparent;font-weight:600}.badge.ok{background:var(--ok-wash);color:var(--ok)}.badge.warn{background:var(--warn-wash);color:var(--warn)}.badge.bad{background:var(--bad-wash);color:var(--bad)}
body.staff .badge{white-space:nowrap}
.grid{border:1px solid var(--line);border-radius:11px;background:var(--paper);overflow-x:auto;margin:0 0 1rem}
table.list{width:100%;font-size:.93rem}.list th{text-align:left;padding:.5rem .8rem;font-size:.83rem;color:var(--soft);font-weight:600;background:var(--ground);border-bottom:1px solid var(--line);white-space:nowrap}
.list td{padding:.5rem .8rem;vertical-align:top;white-space:normal;overflow-wrap:break-word}.list .long{display:inline-block;min-width:9rem;overflow-wrap:anywhere}.list button,.list .button{white-space:nowrap}.list tbody tr:first-child td{border-top:0}.list tbody tr:hover{background:var(--wash)}
.list td:last-child form,.list .row{gap:.4rem;margin:0;flex-wrap:wrap}.list button,.list .button,.acts button,.acts .button{margin:0;padding:.25rem .7rem;font-size:.88rem;min-height:32px}
.list .button,.acts .button{display:inline-flex;align-items:center}.list td time{white-space:nowrap}.list p{margin:0}.list .who{gap:.55rem;min-width:10rem}.list input[type=checkbox]{width:1.15rem;height:1.15rem;margin:.35rem 0}
.list .quote{max-width:36rem}.list .quote,.facts .quote{white-space:pre-line}
.filters{display:grid;grid-template-columns:repeat(auto-fill,minmax(10.5rem,1fr));gap:.6rem .8rem;align-items:end;padding:.9rem 1.1rem}
body.staff label{margin:.6rem 0 .25rem;font-size:.9rem}.filters label{margin:0 0 .2rem}.filters .whole{grid-column:1/-1}.whole .flash{margin:0}textarea+p{margin-top:.3rem}body.staff input:not([type=checkbox],[type=radio]),body.staff select,body.staff textarea{padding:.42rem .6rem}
body.staff label.choice{margin:.5rem 0 0}.filters button{margin:0;padding:.42rem 1rem}
.tabs{display:flex;gap:.35rem;flex-wrap:wrap;margin:0 0 1rem}body.staff .tabs a{padding:.32rem .85rem;border:1px solid var(--line);border-radius:99px;background:var(--paper);color:inherit;text-decoration:none;font-size:.93rem}.tabs a:hover{background:var(--wash)}body.staff .tabs a[aria-current]{border-color:var(--accent);color:var(--accent);font-weight:650;background:var(--wash)}
.tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(15rem,1fr));gap:.9rem;margin:0 0 1.2rem}.tiles .card{margin:0;display:flex;flex-direction:column}
.tile{text-decoration:none;color:inherit}a.tile:hover{border-color:var(--accent)}.tile .label{color:var(--soft);font-size:.9rem;font-weight:600;margin:0}.tile .value{font-size:1.7rem;font-weight:650;line-height:1.2;margin:.1rem 0;font-variant-numeric:tabular-nums}.tile.todo{border-left:5px solid var(--warn)}.tile .soft{font-size:.87rem;margin:0}
.chart{display:block;width:100%;height:64px;margin:.6rem 0 0}.chart polyline{fill:none;stroke:var(--accent);stroke-width:2;vector-effect:non-scaling-stroke;stroke-linejoin:round}.chart polygon{fill:var(--wash)}.chart .axis{stroke:var(--line);stroke-width:1;vector-effect:non-scaling-stroke}
.numbers-of{margin-top:.4rem;font-size:.87rem}.numbers-of summary{font-weight:500;color:var(--soft)}.numbers-of .scroll{max-height:14rem;overflow-y:auto}td.n{text-align:right;font-variant-numeric:tabular-nums}.numbers-of table{width:100%}
.facts{margin:0;display:grid;gap:0}.facts>div{display:grid;grid-template-columns:9.5rem minmax(0,1fr);gap:.8rem;padding:.38rem 0;border-top:1px solid var(--line)}.facts>div:first-child{border-top:0}.facts dt{color:var(--soft);font-size:.9rem}.facts dd{margin:0;overflow-wrap:anywhere}
.halves{display:grid;grid-template-columns:minmax(0,1.6fr) minmax(16rem,1fr);gap:1rem;align-items:start}.halves .card{margin-bottom:1rem}
.acts{display:flex;gap:.5rem;flex-wrap:wrap;align-items:center}.acts form{margin:0;display:flex;gap:.5rem;flex-wrap:wrap}form>.acts{margin-top:.9rem}.pages>.acts{margin-bottom:1rem}.acts+.acts{margin-top:.6rem}.facts+.acts{margin-top:.9rem}.list details{margin:0}.list summary{font-weight:500;white-space:nowrap}.list code{white-space:nowrap}.filters>.choice{align-self:center}.tile .chart{margin-top:auto}
.preview{border-left:5px solid var(--warn);background:var(--warn-wash);border-radius:9px;padding:.7rem .9rem}.preview p:last-child{margin:0}
.plain-list{list-style:none;margin:0;padding:0;display:grid;gap:.15rem}.plain-list li{display:flex;justify-content:space-between;gap:1rem;overflow-wrap:anywhere}.plain-list .n{font-variant-numeric:tabular-nums;color:var(--soft)}
.bulk{position:sticky;bottom:0;background:var(--paper);border:1px solid var(--line);border-radius:11px;padding:.6rem .9rem;margin:0 0 1rem}
progress{width:100%;height:1rem;accent-color:var(--accent)}.bulk.filters{background:var(--paper)}
.edit{display:grid;gap:.2rem;max-width:40rem}.edit>button{justify-self:start}pre.data{margin:.3rem 0 0;font:.82rem/1.45 ui-monospace,SFMono-Regular,Menlo,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
form.edit>.control+.control,.edit fieldset .control+.control{margin-top:.5rem}.help{margin:.25rem 0 0;font-size:.87rem;color:var(--soft)}.control .bad{margin:.25rem 0 0;font-size:.9rem}[aria-invalid]{border-color:var(--bad)!important}.line{display:flex;gap:.6rem;align-items:center}.line input{flex:1 1 auto;min-width:0}.line input[type=number]{flex:0 1 9rem}textarea.code{font:.88rem/1.5 ui-monospace,SFMono-Regular,Menlo,monospace}textarea{resize:vertical}.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,12rem),1fr));gap:0 .9rem}.pair .control{margin-top:0!important}
input[type=datetime-local]{width:100%;font:inherit;color:inherit;background:var(--ground);border:1px solid var(--soft);border-radius:9px}button:disabled{opacity:.45;cursor:default}
body.staff form.card>input[type=hidden]+h2{margin-top:0}fieldset.bare{border:0;padding:0;margin:0;min-width:0}label.choice+.help{margin-left:1.55rem}.edit.wide{max-width:60rem}textarea{display:block}
.permissions{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,17rem),1fr));gap:.35rem 1.4rem}.edit .permissions .control+.control{margin-top:0}.placeholders>div{grid-template-columns:18rem minmax(0,1fr)}
.edit>button,.edit>.acts button{padding:.42rem 1.1rem;font-size:.95rem}body.staff .filters label{margin:0 0 .2rem}.filters .acts button,.filters .acts .button{padding:.42rem 1rem;font-size:.95rem}
@media(min-width:46.01rem){.list td:last-child .keep{flex-wrap:nowrap}}
.inline{display:flex;gap:.5rem;align-items:center;flex-wrap:wrap;margin:0}.inline input:not([type=checkbox]),.inline select{flex:1 1 11rem;width:auto;min-width:0}.inline textarea{flex:1 1 14rem;min-width:0}.inline button{margin:0}
@media(max-width:62rem){.halves{grid-template-columns:minmax(0,1fr)}}
@media(max-width:46rem){body.staff main{display:block;padding-top:1rem}body.staff .sections{margin:0 0 1rem}.menu ul{margin:.3rem 0}.menu p{padding:0}body.staff .sections a{padding:.45rem .85rem}
.grid{border:0;background:none;border-radius:0}.list,.list tbody,.list tr,.list td{display:block}.list thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}.list tr{background:var(--paper);border:1px solid var(--line);border-radius:11px;padding:.5rem .9rem;margin:0 0 .7rem}.list td{border:0;padding:.25rem 0;display:grid;grid-template-columns:6.5rem minmax(0,1fr);gap:.6rem}.list td::before{content:attr(data-label);color:var(--soft);font-size:.85rem}.list td[data-label=""]{grid-template-columns:minmax(0,1fr)}.list td[data-label=""]::before{content:none}
.list button,.list .button,.acts button,.acts .button{min-height:40px}.bulk{position:static}.filters .acts{grid-column:1/-1}.placeholders>div{grid-template-columns:minmax(0,1fr);gap:0}.list code{white-space:normal;overflow-wrap:anywhere}.filters{grid-template-columns:repeat(auto-fill,minmax(8.5rem,1fr))}.list td{overflow-wrap:anywhere}.facts>div{grid-template-columns:7rem minmax(0,1fr)}.tiles{grid-template-columns:minmax(0,1fr)}}
`
