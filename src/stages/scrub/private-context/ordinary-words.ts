/** Ordinary words. Text that consists only of these names nothing private. */

const words = `
a about above access account across act action active actual add addition address admin after again against age agent ago
agree ai alert alias all allow almost alone along already also alternative although always am among amount an analyse analysis
analyze and annotation another answer any anybody anyone anything anyway api app appear appendix apple application apply
approval approve april archive are area argument around array article as ask aspect assert asset assign assistant at attach
attempt attribute audit august author auth auto automatic automated available average avoid aware away
back backend background backup bad bar base bash basic batch be because become been before begin behind being below beside
best better between beyond big bill billing bin binary birth bit black blank block blue board body book bool boolean border
both bottom box branch brand break bridge brief bring browser budget buffer bug build bullet bundle business but button buy by
cache calendar call can cancel candidate cannot capital card care carry case catalog catalogue catch category cause cell center
central certificate chain chance change channel chapter char character chart chat check child china choice choose city class
claude clean clear cli click client clock clone close cloud cluster code codename collect collection color colour column com come
command comment commit common communication community company compare compile complete component compute computer concept
condition confidential config configuration configure confirm connect connection consider console constant contact contain
container content context contract control convention conversation convert copy core correct cost could count country county course
cover cpu create credential credit critical cron cross css current custom customer cut cycle
daemon dash dashboard data database date day deadline deal debug december decide decision declare deep default define definition
delete deliver delivery demo deny department depend dependency deploy deployment deprecated describe description design desktop
destination detail detect dev develop developer development device dictionary did diff difference different digit dir direct
direction directory disable disk display distance district do doc docker document documentation does doing domain done door double
down download draft drive driver drop due duplicate during dynamic
each early easy edge edit editor effect either element else email employee employees empty enable encode encoding end endpoint engine
engineer engineering english enough ensure enter enterprise entire entity entry enum env environment equal error escape especially
et etc even event ever every everybody everyone everything exact exactly example except exception exclude exec execute existing exit
expect expected experience expert expire explain export expose express expression extend extension external extra
face fact factor fail failure fake fall false family far fast favourite feature february fee feedback few field fifth figure file fill
filter final finally finance find finding fine finish first fit fix fixture flag flow folder follow font foo for force foreign form
format former forward found four fourth frame framework free frequent frequently friday friend from front frontend full fully fun
function further future
gateway general generate generic get git github gitlab give given global go goal gold good google got govern grant graph great green
grey grid group grow guard guess guest guide guideline
had half hand handle handler happen hard hardware has hash have he head header heading health hello help her here hers hide high higher
highlight him his history hit hold holder home hook host hosting hour house how however html http https human
icon id idea ideal identifier identify identity idle if ignore image impact implement implementation import important improve in
include including incoming increase index individual industry info inform information initial inline inner input insert inside inspect
install instance instead instruction int integer integration interest interface internal internet into introduction invalid inventory
invoice io ip is issue it item iteration its itself
james january java javascript job join journal json july june just
keep kernel key keyword kind know knowledge known kubernetes
label laptop language large last late later latest launch law layer layout lead leader leak learn least leave left legacy legal length
less let letter level library licence license life light like likely limit line link linux list listen listing literal little live load
local locale location lock log logic login logo long look loop loss lot low lower
mac machine macos made mail main maintain maintainer maintenance major make manage management manager manual many map march margin mark
markdown market marketing master match material matter may maybe me mean measure media medium meet meeting member memory mention menu
merge message meta metadata method metric microsoft middle might migrate migration mind mine minimum minor minute misc miss missing
mobile mock mode model modern modify module moment monday money monitor month more most mother mount move movie much multi multiple music
must my
name namespace native natural near necessary need neither net network never new news next nice nickname nine no nobody node noise
none nor normal north not note nothing notice notification november now npm null number numeric
object observe october of off offer office official offline often oh ok old older on once one online only onto op open opencode operate
operation operator opinion opposite option optional or oracle orange order ordinary org organisation organization origin original os other
others otherwise our out outer outgoing outline output outside over overall overview own owner
package page pair panel paper paragraph parameter parent park part partial participant particular partner party pass password past patch
path patient pattern pause pay payload payment peer pending people per percent perfect perform performance perhaps period permission person
personal personnel phase phone photo php phrase physical pick picture piece pink pipeline place placeholder plain plan platform play player
please plugin plus point policy pool poor popular port portal position possible post postal postgres postgresql potential power practice
prefer prefix prepare presence present press pretty prevent preview previous price primary print priority privacy private probably problem
procedure process produce product production profile program programme progress project prompt proof proper property proposal protect
protected protection protocol prototype prove provide provider proxy public publish pull purchase purple purpose push put python
quality quantity quarter query question queue quick quickly quite quote
random range rate rather raw react read reader readme ready real really reason receive recent recently recipe record recover red redact
redis reduce ref refer reference refuse region register registry regular relate related relation release relevant reload remain remark remember
remote remove rename render repeat replace reply repo report repository request require requirement research reserve reset resolve resource
respond response rest restart restore restrict restricted result resume retain retention retry return reveal reverse review right risk road
role roll room root route router routine row rule run runtime rust
safe safety said salary sale same sample sandbox saturday save say scale scan scanner scenario schedule schema school science scope score
screen script scroll sdk search season second secondary secret section secure security see seek seem select selection self send sense
sensitive sentence separate september sequence series serve server service session set setting setup seven several severity shape share shared
she sheet shell shift ship shipping shop short should show side sign signal signature silver similar simple simply since single site situation
six size skill skip sleep slot slow small smart snapshot so social soft software solution some somebody someone something sometimes son soon
sort sound source south space spec special specific specification speed split sql src staff stage staging standard star start state statement
static statistics status stay step still stop storage store story strategy stream street strict string strong structure student study style sub
subject submit subscribe subscription subset success such sudo suggest suggestion suite summary sunday super supplier supply support sure surname
switch symbol sync syntax synthetic system
tab table tag take talk target task tax team tech technical technology tell temp template temporary ten tenant term terminal test text than thank
thanks that the their them theme then theory there therefore these they thing think third this those though thought thread three threshold through
throw thursday thus ticket tier time timeout timestamp tip title tls to today together token told tomorrow too tool toolkit top topic total touch
toward town trace track trade traffic train transaction transfer transform transition translate travel treat tree trial trigger trip true
trust truth try tuesday turn tutorial twice two type typescript typical
ui unauthorized under understand undefined unique unit united unix unknown unless unlike unset until up update upgrade upload upon upper upstream
url us usage use used useful user username usual usually utc util utility
valid validate validation value variable variant various vault vendor verify version versus very via video view virtual visible visit visual void
volume vs
wait walk wall want warn warning was watch way we weak web webhook website wednesday week weekend weekly weight welcome well went were west what
whatever when whenever where whether which while white who whole whose why wide widget width wiki will window windows wish with within without
woman women wonder word work worker workflow workplace workspace world worth would wrap write writer wrong www
xml yaml yard yeah year yellow yes yesterday yet you young your yours yourself zero zip zone
ascii aws azure bsd cdn cors crud csrf csv debian dns fixme ftp gcp gdpr gnu gpt grpc guid hipaa iban ide imap iot jpeg jwt llm mcp pdf
pii png posix regex rfc saas smtp soap ssh ssn tcp todo ubuntu udp unicode uuid wip xss
amd64 arm64 base64 ec2 es2015 es2020 es2022 h264 http2 http3 i18n ipv4 ipv6 iso8601 iso639 k8s log4j md5 mp3 mp4 node20 oauth2 p256 python3 s3 sha1
sha256 sha384 sha512 utf8 utf16 win32 x64 x86 x509
`

let known: ReadonlySet<string> | undefined

/** Case-insensitive; includes regular inflections. */
export function isOrdinaryWord(word: string): boolean {
  known ??= new Set(words.trim().split(/\s+/))
  const lower = word.toLowerCase()
  if (lower.length <= 2 || known.has(lower)) return true
  for (const [ending, replacement] of endings) {
    if (lower.endsWith(ending) && known.has(lower.slice(0, -ending.length) + replacement)) return true
  }
  return false
}

const endings = [
  ['s', ''],
  ['es', ''],
  ['ies', 'y'],
  ['ed', ''],
  ['ed', 'e'],
  ['ing', ''],
  ['ing', 'e'],
  ['ly', ''],
  ['er', ''],
  ['er', 'e'],
  ["'s", ''],
  ['’s', ''],
] as const
