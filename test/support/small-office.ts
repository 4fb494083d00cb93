/** A manifest with a user, a menu, and a callflow through the menu to the user. */
export const smallOffice = `
users:
  alice: { username: alice, first_name: Alice, last_name: Archer, password: first-sign-in }
menus:
  main: { name: Main menu, retries: 3 }
callflows:
  main-line:
    name: Main line
    numbers: ["+15551230000"]
    flow:
      module: menu
      data: { id: "\${menus.main}" }
      children:
        "1": { module: user, data: { id: "\${users.alice}", timeout: 20 }, children: {} }
`;

/** The same with a webhook. */
export const officeWithWebhook = `${smallOffice}webhooks:
  crm: { name: CRM, uri: "https://crm.example/hook", hook: channel_create, http_verb: post, format: json }
`;
