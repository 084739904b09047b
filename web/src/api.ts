// Made from the program's own types; do not edit.

export type ScenarioCard = { 
/**
 * Its short name.
 */
id: string, 
/**
 * Its title.
 */
title: string, 
/**
 * When it was fought.
 */
date: string, 
/**
 * What it is about.
 */
blurb: string, 
/**
 * The short name of its book.
 */
book: string, 
/**
 * The title of its book.
 */
book_title: string, 
/**
 * How many turns it lasts.
 */
turns: number, 
/**
 * Units of each side.
 */
units: [number, number], 
/**
 * The sides.
 */
sides: [SideCard, SideCard], 
/**
 * The side that begins.
 */
first: string, 
/**
 * About how long it takes, in minutes.
 */
minutes: number, 
/**
 * Whether it is for learning.
 */
training: boolean, 
/**
 * How it is won, in sentences.
 */
victory: Array<string>, 
/**
 * How it went between two computer colonels, where that was measured.
 */
balance: Balance | null, };

export type Balance = { 
/**
 * How many were fought.
 */
battles: number, 
/**
 * How many each side won; the others were drawn.
 */
won: [number, number], };

export type Brigade = { 
/**
 * The leader's short name.
 */
leader: string, 
/**
 * The short names of his units.
 */
units: Array<string>, };

export type SideCard = { 
/**
 * Its short name.
 */
id: string, 
/**
 * Its name.
 */
name: string, 
/**
 * Its colour.
 */
color: string, };

export type Board = { 
/**
 * The scenario.
 */
scenario: ScenarioCard, 
/**
 * The width of the table in inches.
 */
width: number, 
/**
 * Its height.
 */
height: number, 
/**
 * The ground, piece by piece.
 */
land: Array<Land>, 
/**
 * What units and leaders wear.
 */
coats: Array<CoatView>, 
/**
 * Remarks for the players.
 */
notes: Array<string>, 
/**
 * Where the facts come from.
 */
sources: Array<string>, 
/**
 * The command radius of a leader, at most.
 */
radius: number, 
/**
 * The units of each leader's brigade.
 */
brigades: Array<Brigade>, 
/**
 * The words of the game and what they mean.
 */
terms: Array<Term>, };

export type Land = { 
/**
 * Its short name; the crest of a hill has the hill's.
 */
id: string, 
/**
 * What it is, in the words of scenario files: `woods`, `road` and so on.
 */
kind: string, 
/**
 * Its name on the map.
 */
name: string | null, 
/**
 * Its corners, or the points of its line, in inches from the left and near edges.
 */
points: Array<[number, number]>, 
/**
 * Whether it is a line rather than an area.
 */
line: boolean, 
/**
 * How wide a line is, in inches; 0 for a wall and the like, and for an area.
 */
width: number, 
/**
 * Its height above the plain, in levels.
 */
level: number, 
/**
 * Whether a road is a good one.
 */
good: boolean, 
/**
 * What grows in a wood: `broadleaf`, `pine`, `palm` or `orchard`.
 */
trees: string, };

export type CoatView = { 
/**
 * The short name of the unit or the leader.
 */
of: string, 
/**
 * Whose uniform it is; nothing if it is only the colour of its side.
 */
name: string | null, 
/**
 * The colour of the coat.
 */
color: string, 
/**
 * The colour of its facings.
 */
facings: string, };

export type View = { 
/**
 * How many orders have been carried out.
 */
n: number, 
/**
 * The turn.
 */
turn: number, 
/**
 * The last turn.
 */
turns: number, 
/**
 * Whose turn it is.
 */
mover: string, 
/**
 * The step of the turn.
 */
phase: string, 
/**
 * The same in words.
 */
phase_words: string, 
/**
 * Who is to act; nobody if the battle is over.
 */
awaiting: string | null, 
/**
 * What is asked of him, in a sentence.
 */
prompt: string, 
/**
 * A choice he owes before anything else.
 */
choice: Choice | null, 
/**
 * The units.
 */
units: Array<Piece>, 
/**
 * The leaders.
 */
leaders: Array<LeaderView>, 
/**
 * The key positions.
 */
keys: Array<KeyView>, 
/**
 * Victory points of the sides.
 */
points: [number, number], 
/**
 * What each side has them for.
 */
scored: [Array<Scored>, Array<Scored>], 
/**
 * Stands lost by the sides.
 */
lost: [number, number], 
/**
 * How it ended, if it did.
 */
ending: Ending | null, 
/**
 * How many orders can be taken back.
 */
undo: number, };

export type Choice = { 
/**
 * The unit it is about.
 */
unit: string, 
/**
 * What has happened to it.
 */
title: string, 
/**
 * What it may do.
 */
offers: Array<Offer>, };

export type Ending = { 
/**
 * Who won; nobody in a draw.
 */
winner: string | null, 
/**
 * Why it is over.
 */
reason: string, };

export type Stand = { 
/**
 * Inches from the left edge.
 */
x: number, 
/**
 * Inches from the near edge.
 */
y: number, 
/**
 * Degrees from north, clockwise.
 */
facing: number, };

export type GunView = { 
/**
 * It cannot fire.
 */
silenced: boolean, 
/**
 * It fires at half points.
 */
damaged: boolean, 
/**
 * It fires at half points until it replenishes.
 */
low: boolean, };

export type WeaponView = { 
/**
 * Its letters in the book.
 */
code: string, 
/**
 * Reach in inches and points of a stand, from the nearest band.
 */
bands: Array<[number, number]>, };

export type Piece = { 
/**
 * Its short name.
 */
id: string, 
/**
 * Its name.
 */
name: string, 
/**
 * Its side.
 */
side: string, 
/**
 * `infantry`, `cavalry` or `guns`.
 */
arm: string, 
/**
 * Its experience.
 */
class: string, 
/**
 * What else it is, in words.
 */
traits: Array<string>, 
/**
 * `table`, `reserve`, or what became of it.
 */
place: string, 
/**
 * Stands left.
 */
stands: number, 
/**
 * Stands at the start.
 */
strength: number, 
/**
 * `good`, `disordered` or `broken`.
 */
order: string, 
/**
 * `fresh`, `worn` or `spent`.
 */
freshness: string, 
/**
 * Its formation, in words.
 */
formation: string, 
/**
 * The middle of its front.
 */
front: Stand, 
/**
 * Its stands.
 */
feet: Array<Stand>, 
/**
 * The width of a stand in inches.
 */
width: number, 
/**
 * The depth of a stand.
 */
depth: number, 
/**
 * Markers in words: low on ammunition, faced about …
 */
marks: Array<string>, 
/**
 * Its guns.
 */
guns: Array<GunView>, 
/**
 * Its weapon.
 */
weapon: WeaponView | null, 
/**
 * Where its fire goes: `none`, `front` or `round`.
 */
arc: string, 
/**
 * Who commands it now, in words.
 */
command: string, 
/**
 * The short name of the leader who commands it now, whoever's brigade it belongs to.
 */
commander: string | null, 
/**
 * What it may still do in this step, in words; empty if nothing.
 */
may: string, 
/**
 * Whether it may be moved now.
 */
moves: boolean, 
/**
 * Whether it may declare a charge now.
 */
can_charge: boolean, 
/**
 * The enemy it charges.
 */
charging: string | null, 
/**
 * Everything of this in a sentence, for a reader.
 */
says: string, };

export type LeaderView = { 
/**
 * His short name.
 */
id: string, 
/**
 * His name.
 */
name: string, 
/**
 * His side.
 */
side: string, 
/**
 * How good he is.
 */
rating: string, 
/**
 * Where he is, in inches.
 */
at: [number, number], 
/**
 * The unit he is with.
 */
with: string | null, 
/**
 * Whether he is on the table.
 */
present: boolean, 
/**
 * What has become of him, in words.
 */
state: string, 
/**
 * Whether he may ride now.
 */
may_ride: boolean, };

export type KeyView = { 
/**
 * Its short name.
 */
id: string, 
/**
 * Its name.
 */
name: string, 
/**
 * Where it is, in inches.
 */
at: [number, number], 
/**
 * Points for whoever holds it.
 */
value: number, 
/**
 * Who holds it.
 */
holder: string | null, };

export type Scored = { 
/**
 * What for, in words.
 */
what: string, 
/**
 * How many.
 */
points: number, };

export type Refusal = { 
/**
 * The clause or ruling.
 */
rule: string, 
/**
 * The fact that breaks it.
 */
fact: string, 
/**
 * The nearest legal order, in words.
 */
instead: string | null, };

export type Offer = { 
/**
 * Under which heading it belongs.
 */
group: string, 
/**
 * What it is, in a few words.
 */
label: string, 
/**
 * The order to send.
 */
order: Record<string, unknown>, 
/**
 * Whether it leads to dice, so that one wants to see the odds first.
 */
rolls: boolean, 
/**
 * The unit it is aimed at.
 */
target: string | null, 
/**
 * Why it may not be given.
 */
no: Refusal | null, };

export type Ghost = { 
/**
 * Its stands there.
 */
feet: Array<Stand>, 
/**
 * The way of the middle of its front.
 */
track: Array<Stand>, 
/**
 * How far it goes, in inches.
 */
cost: number, 
/**
 * How far it may.
 */
limit: number, 
/**
 * The worst ground it crosses.
 */
ground: string, 
/**
 * The steps, in words.
 */
steps: Array<string>, 
/**
 * The order that does it; nothing if it would not move.
 */
order: Record<string, unknown> | null, 
/**
 * Why it goes no farther, if it does not get there.
 */
stopped: Refusal | null, 
/**
 * What it should be known to cost besides: that it leaves its leader's command.
 */
remark: string | null, };

export type Entry = { 
/**
 * Which order of the game it was, from 1.
 */
n: number, 
/**
 * Who gave it.
 */
by: string, 
/**
 * The dice thrown for it.
 */
dice: Array<number>, 
/**
 * What happened.
 */
lines: Array<LogLine>, 
/**
 * Why it was given, if a general gave it.
 */
reason: string | null, };

export type LogLine = { 
/**
 * `turn`, `step`, `roll`, `move`, `loss`, `order` or `end`.
 */
kind: string, 
/**
 * What happened, in a sentence.
 */
text: string, 
/**
 * The modifiers of a roll.
 */
tally: Array<TallyLine>, 
/**
 * Those of the other side in a combat.
 */
against: Array<TallyLine>, 
/**
 * The clauses it rests on.
 */
rules: Array<string>, 
/**
 * What the book says of a result.
 */
says: Array<string>, 
/**
 * The units it is about.
 */
units: Array<string>, 
/**
 * The one of them that is fired at or charged.
 */
target: string | null, };

export type TallyLine = { 
/**
 * Its clause.
 */
rule: string, 
/**
 * Its name.
 */
words: string, 
/**
 * Its value.
 */
value: number, };

export type Outcome = { 
/**
 * Its name.
 */
name: string, 
/**
 * Its chance in a hundred.
 */
percent: number, 
/**
 * How it is for whoever asks: `good`, `even` or `bad`.
 */
tone: string, 
/**
 * What it would do, in a few words.
 */
does: string, 
/**
 * The same as the book has it.
 */
says: Array<string>, };

export type Chances = { 
/**
 * It wins.
 */
wins: number, 
/**
 * Neither gives way at first.
 */
struggles: number, 
/**
 * It is beaten.
 */
loses: number, 
/**
 * Fire stops it on its way.
 */
stopped: number, };

export type Roll = { 
/**
 * Who rolls.
 */
who: Array<string>, 
/**
 * Whose roll it is, in words.
 */
title: string, 
/**
 * The modifiers; of the attacker in a combat.
 */
tally: Array<TallyLine>, 
/**
 * Those of the defender.
 */
against: Array<TallyLine>, 
/**
 * What may come of it, the best for the roller first.
 */
odds: Array<Outcome>, 
/**
 * What may happen besides, each in a sentence with its chance.
 */
besides: Array<string>, 
/**
 * What it comes to in all, where several rolls decide.
 */
headline: string | null, 
/**
 * What a charge comes to in all, the fire on its way counted in.
 */
chances: Chances | null, };

export type ChargeView = { 
/**
 * The unit that charges.
 */
unit: string, 
/**
 * Its stands there.
 */
feet: Array<Stand>, 
/**
 * The way of the middle of its front.
 */
track: Array<Stand>, 
/**
 * The fronts of its stands that come to the enemy: from where to where, in inches.
 */
contact: Array<[[number, number], [number, number]]>, 
/**
 * Whom it meets; nobody if it stops short.
 */
meets: string | null, };

export type Term = { 
/**
 * The word as it stands on a unit's card or in an order.
 */
word: string, 
/**
 * What it means: a sentence of ours, then what the book says of it.
 */
means: Array<string>, };

export type Problem = { 
/**
 * What is wrong, in a sentence.
 */
message: string, 
/**
 * The rule that refuses it, if it is a rule.
 */
refusal: Refusal | null, 
/**
 * Where the game is now, if somebody else was first.
 */
rev: number | null, };

export type Mode = { "kind": "hot-seat" } | { "kind": "general", 
/**
 * The side of the player, by its short name.
 */
side: string, 
/**
 * The level of the general.
 */
level: string, } | { "kind": "remote", 
/**
 * The side of whoever makes the game.
 */
side: string, } | { "kind": "brigades" } | { "kind": "watch", 
/**
 * The level of the side listed first.
 */
first: string, 
/**
 * The level of the other.
 */
second: string, };

export type MakeGame = { 
/**
 * The short name of a scenario built in.
 */
scenario: string | null, 
/**
 * Or the text of one.
 */
scenario_text: string | null, 
/**
 * Or the text of a save to go on with.
 */
save: string | null, 
/**
 * How it is played.
 */
mode: Mode, 
/**
 * The player's name.
 */
name: string, };

export type Made = { 
/**
 * The game's id.
 */
game: string, 
/**
 * The token of whoever made it.
 */
token: string, 
/**
 * The token for the other side, in a remote game.
 */
invite: string | null, 
/**
 * The token for looking on.
 */
watch: string, 
/**
 * What should be known of a save that was loaded: a last line cut off, a book changed since.
 */
remarks: Array<string>, 
/**
 * The tokens of the brigades, if there are any.
 */
brigades: Array<BrigadeSeat>, };

export type BrigadeSeat = { 
/**
 * The side's short name.
 */
side: string, 
/**
 * The leader's name.
 */
leader: string, 
/**
 * The token.
 */
token: string, };

export type Player = { 
/**
 * `both`, `watch`, or a side's short name.
 */
role: string, 
/**
 * His name; empty until he gives one.
 */
name: string, 
/**
 * The level, if it is a computer general.
 */
general: string | null, };

export type Laid = { 
/**
 * What never changes.
 */
board: Board, 
/**
 * What stands on it.
 */
view: View, };

export type Opened = { 
/**
 * Its id.
 */
game: string, 
/**
 * What never changes.
 */
board: Board, 
/**
 * What the token opens: `both`, `watch`, a side's short name, or side/leader.
 */
you: string, 
/**
 * The seed's hash, shown before the first die; none if dice came from elsewhere.
 */
commitment: string | null, 
/**
 * The state, with the whole log.
 */
now: Update, };

export type Settled = { "kind": "conceded", 
/**
 * Its short name.
 */
by: string, } | { "kind": "drawn" };

export type Concede = { 
/**
 * The side's short name; not needed by a seat that has one side only.
 */
side?: string, 
/**
 * The revision the sender has seen.
 */
after?: number | null, 
/**
 * The sender's own name for this request.
 */
key?: string, };

export type DrawWord = "offer" | "agree" | "decline";

export type Draw = { 
/**
 * The word.
 */
say: DrawWord, 
/**
 * The side's short name; not needed by a seat that has one side only.
 */
side?: string, 
/**
 * The revision the sender has seen.
 */
after?: number | null, 
/**
 * The sender's own name for this request.
 */
key?: string, };

export type Rematch = { 
/**
 * The id of the new game; the same token opens it.
 */
game: string, };

export type Update = { 
/**
 * The revision this leads to.
 */
rev: number, 
/**
 * How many entries of the log still stand; `entries` follow them.
 */
from: number, 
/**
 * What has happened since.
 */
entries: Array<Entry>, 
/**
 * For those who asked for a brief answer: `view` has only the units and leaders that changed
 * after this revision, each to be put in place of the one of its id. Otherwise none, and it
 * has all.
 */
since: number | null, 
/**
 * The table as it stands.
 */
view: View, 
/**
 * What the step itself allows.
 */
step: Array<Offer>, 
/**
 * Who sits where.
 */
players: Array<Player>, 
/**
 * The leaders of brigades who still have something to do in this step, when others of their
 * side have said that they are done.
 */
waiting: Array<string>, 
/**
 * How the game ended, if it was not fought to its end.
 */
settled: Settled | null, 
/**
 * The short name of the side that offers a draw, while it does.
 */
draw_offered: string | null, 
/**
 * The id of the game in which the battle is fought again with the sides changed. The same
 * token opens it.
 */
rematch: string | null, 
/**
 * The seed of the dice, when the battle is over.
 */
seed: string | null, };

export type GiveOrder = { 
/**
 * The order, as docs/commands.md has it.
 */
order: Record<string, unknown>, 
/**
 * The revision the sender has seen; refused if the game has moved on.
 */
after?: number | null, 
/**
 * The sender's own name for this request, at most 64 letters: a repeat is answered, not
 * carried out again.
 */
key?: string, 
/**
 * Whether the answer's view may leave out the units and leaders that have not changed.
 */
brief?: boolean, };

export type Done = { 
/**
 * Whether it had been carried out before.
 */
repeated: boolean, 
/**
 * What has changed.
 */
update: Update, };

export type StepBack = { 
/**
 * The revision the sender has seen.
 */
after?: number | null, 
/**
 * The sender's own name for this request.
 */
key?: string, 
/**
 * Whether the answer's view may leave out the units and leaders that have not changed.
 */
brief?: boolean, };

export type AskOdds = { 
/**
 * The order.
 */
order: Record<string, unknown>, };

export type Odds = { 
/**
 * Them.
 */
rolls: Array<Roll>, 
/**
 * Where a charge would end.
 */
charge: ChargeView | null, };

export type There = { 
/**
 * Inches from the left edge.
 */
x: number, 
/**
 * Inches from the near edge.
 */
y: number, 
/**
 * Degrees from north, clockwise; as it faces now if not given.
 */
facing?: number, };

export type AskWay = { 
/**
 * The unit, or a leader.
 */
unit: string, 
/**
 * Where to.
 */
to: There, 
/**
 * At the price of disorder.
 */
disordered: boolean, };

export type Way = { 
/**
 * Where it would stand.
 */
ghost: Ghost, };

export type Offers = { 
/**
 * Orders, and why not the rest.
 */
offers: Array<Offer>, 
/**
 * The outline of where it could get to, if it may move.
 */
reach: Array<Stand>, };

export type Seen = { 
/**
 * The outline of what is seen, in inches.
 */
outline: Array<[number, number]>, 
/**
 * The units seen.
 */
units: Array<string>, };

export type Luck = { 
/**
 * The lead at the start.
 */
start: number, 
/**
 * The lead at the end.
 */
end: number, 
/**
 * What the dice gave the first side beyond what could be expected.
 */
dice: number, 
/**
 * What both sides' orders were worth with average dice.
 */
generalship: number, 
/**
 * Which weighed more, in a sentence.
 */
verdict: string, 
/**
 * The throws, in order.
 */
throws: Array<LuckyThrow>, };

export type LuckyThrow = { 
/**
 * The order, from 1.
 */
order: number, 
/**
 * The turn.
 */
turn: number, 
/**
 * The short name of the side that gave it.
 */
by: string, 
/**
 * What it was.
 */
what: string, 
/**
 * The dice.
 */
dice: Array<number>, 
/**
 * Points the first side could expect to gain.
 */
expected: number, 
/**
 * Points it gained.
 */
actual: number, };

export type Branch = { 
/**
 * After how many orders.
 */
n: number, 
/**
 * How it is played.
 */
mode: Mode, 
/**
 * The player's name.
 */
name: string, };

export type Rename = { 
/**
 * At most 40 letters.
 */
name: string, };

export type Scenarios = { 
/**
 * Them.
 */
scenarios: Array<ScenarioCard>, 
/**
 * The levels of the computer general.
 */
levels: Array<Level>, };

export type Level = { 
/**
 * Its short name.
 */
id: string, 
/**
 * What it is like.
 */
says: string, };

export type BookText = { 
/**
 * Its short name.
 */
id: string, 
/**
 * Its title.
 */
title: string, 
/**
 * The clauses, by section.
 */
sections: Array<Section>, 
/**
 * The rulings.
 */
rulings: Array<RulingText>, };

export type Section = { 
/**
 * Its title.
 */
title: string, 
/**
 * Its clauses.
 */
clauses: Array<ClauseText>, };

export type ClauseText = { 
/**
 * Its id.
 */
id: string, 
/**
 * What it says.
 */
says: string, 
/**
 * Where it is printed.
 */
source: string, 
/**
 * A remark.
 */
note: string | null, };

export type RulingText = { 
/**
 * Its id.
 */
id: string, 
/**
 * The question.
 */
question: string, 
/**
 * The answer.
 */
text: string, };
