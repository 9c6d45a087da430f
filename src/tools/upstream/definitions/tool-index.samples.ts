/** Invented tools modelled on real servers, and typical queries. */

import type { ServedTool } from './tool-index.ts'

/** `name(argument, optional?): description` */
const servers: Readonly<Record<string, string>> = {
  tracker: `
    create_ticket(project, summary, body?): Open a new ticket in a project of the tracker.
    close_ticket(id, reason?): Close a ticket, with an optional reason.
    assign_ticket(id, person): Give a ticket to a member of the team.
    search_tickets(query, state?): Find tickets by words in summary, body or comments.
    add_ticket_comment(id, text): Write a comment below a ticket.
    list_milestones(project): Shows all milestones with their due dates.
    get_burndown(project, sprint): Data of the burndown chart of a sprint.`,
  warehouse: `
    run_sql(statement, limit?): Executes a read-only SQL statement and returns the rows.
    describe_table(table): Columns, types and keys of one table.
    list_tables(schema?): Names of all tables in a schema.
    explainQuery(statement): Shows the plan of a statement without running it.
    export_csv(statement, path): Saves the result of a statement as a CSV file.
    create_index(table, columns): Builds an index to make lookups faster.`,
  postbox: `
    send_mail(to, subject, body, attachments?): Sends an email to one or more people.
    search_mail(query, folder?): Looks for messages in the mailbox.
    move_mail(id, folder): Puts a message into another folder.
    mark_as_read(ids): Marks messages as read.
    createDraft(to, subject, body): Prepares a message without sending it.
    download_attachment(id, name): Saves an attachment of a message.`,
  calendar: `
    create_event(title, start, end, people?): Puts a meeting into the calendar and invites people.
    find_free_time(people, duration): Looks for a slot in which everyone is free.
    delete_event(id): Cancels a meeting and tells the people who were invited.
    list_events(from, to): All events between two days.
    set_reminder(id, minutes): Reminds of an event before it starts.`,
  cluster: `
    get_pod_logs(pod, lines?): The latest log lines of a pod.
    scale_deployment(name, replicas): Changes how many replicas a deployment has.
    restart_service(name): Restarts all pods of a service, one after the other.
    apply_manifest(yaml): Creates or updates what a manifest describes.
    list_nodes(): Machines of the cluster with their load.
    rollback-deployment(name, revision?): Goes back to an earlier revision of a deployment.
    get_secret_names(namespace): Names of secrets in a namespace, without their values.`,
  maps: `
    geocode(address): Coordinates of an address.
    reverse_geocode(latitude, longitude): The address at a place on earth.
    directions(from, to, mode?): A route between two places by car, train, bicycle or on foot.
    distance_matrix(origins, destinations): Travel times between many places.
    nearby_places(latitude, longitude, kind): Restaurants, shops and the like around a point.
    elevation(latitude, longitude): Height above sea level.`,
  painter: `
    generate_image(prompt, size?): Draws a picture from a description in words.
    upscale_image(image, factor): Makes a picture larger without blurring it.
    remove_background(image): Cuts out what is in front.
    describe_image(image): Says in words what a picture shows.
    convert_format(image, format): Turns PNG into JPEG, WebP and so on.`,
  translator: `
    translate_text(text, language): Turns a text into another language.
    detect_language(text): Says in which language a text is written.
    summarizeDocument(document, words?): The gist of a long document.
    check_grammar(text): Finds mistakes in spelling and grammar.`,
}

export const inventedTools: readonly ServedTool[] = Object.entries(servers).flatMap(([server, lines]) =>
  lines
    .trim()
    .split('\n')
    .map((line) => {
      const [, name = '', given = '', description = ''] = /^\s*([\w-]+)\((.*?)\): (.*)$/.exec(line) ?? []
      const args = given === '' ? [] : given.split(', ')
      return {
        server,
        definition: {
          name,
          description,
          inputSchema: {
            type: 'object',
            properties: Object.fromEntries(args.map((arg) => [arg.replace('?', ''), { type: 'string' }])),
            required: args.filter((arg) => !arg.endsWith('?')),
          },
        },
      }
    }),
)

/** Queries, and the tools of which one should rank among the first. */
export const sampleQuestions: readonly (readonly [query: string, ...wanted: string[]])[] = [
  ['open a new bug', 'create_ticket'],
  ['comment on a ticket', 'add_ticket_comment'],
  ['who should work on this ticket', 'assign_ticket'],
  ['find tickets about login', 'search_tickets'],
  ['sprint burndown chart', 'get_burndown'],
  ['close ticket', 'close_ticket'],
  ['execute a database query', 'run_sql'],
  ['columns of a table', 'describe_table'],
  ['which tables are there', 'list_tables'],
  ['query plan', 'explainQuery'],
  ['save query result as csv', 'export_csv'],
  ['email somebody', 'send_mail'],
  ['search my inbox for messages', 'search_mail'],
  ['prepare an email but do not send it', 'createDraft'],
  ['download attachments', 'download_attachment'],
  ['schedule a meeting', 'create_event'],
  ['when is everyone free', 'find_free_time'],
  ['cancel a meeting', 'delete_event'],
  ['remind me', 'set_reminder'],
  ['container logs of a pod', 'get_pod_logs'],
  ['more replicas', 'scale_deployment'],
  ['go back to the previous deployment', 'rollback-deployment'],
  ['restarting a service', 'restart_service'],
  ['apply yaml', 'apply_manifest'],
  ['coordinates for an address', 'geocode'],
  ['route from A to B by bicycle', 'directions'],
  ['restaurants around here', 'nearby_places'],
  ['how high above the sea', 'elevation'],
  ['draw a picture', 'generate_image'],
  ['make image bigger', 'upscale_image'],
  ['what is on this photo', 'describe_image'],
  ['translate into French', 'translate_text'],
  ['spelling mistakes', 'check_grammar'],
  ['summarise a document', 'summarizeDocument'],
  ['which language is this', 'detect_language'],
  ['geocde', 'geocode'],
  ['tranlsate', 'translate_text'],
  ['run_sql', 'run_sql'],
  ['explain query', 'explainQuery'],
  ['burn', 'get_burndown'],
]
