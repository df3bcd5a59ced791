/** Texts of the room Site. */
import type { Table } from '../texts.js';

export const site = {
  tabs: {
    status: ['State', 'Zustand'],
    findings: ['Problems', 'Probleme'],
    resources: ['Resources', 'Ressourcen'],
    access: ['Access', 'Zugänge'],
    settings: ['Settings', 'Einstellungen'],
    audit: ['Audit log', 'Protokoll'],
  },
  servers: ['Servers', 'Server'],
  noServer: ['No server is running. Start one on the server:', 'Es läuft kein Server. Auf dem Server starten:'],
  requests: ['Requests of the last 5 minutes', 'Anfragen der letzten 5 Minuten'],
  work: ['At work', 'Im Gange'],
  fromMemory: ['Answered from memory', 'Aus dem Speicher beantwortet'],
  database: ['Database', 'Datenbank'],
  replicas: ['Replicas', 'Replikate'],
  ending: ['Ends within 14 days', 'Endet innerhalb von 14 Tagen'],
  checkAgain: ['Check again', 'Erneut prüfen'],
  checked: [
    '{0} errors and {1} warnings. {2} checks found nothing.',
    '{0} Fehler und {1} Warnungen. {2} Prüfungen fanden nichts.',
  ],
  fix: ['What to do:', 'Was zu tun ist:'],
  lookThere: ['See its deliveries', 'Zu seinen Zustellungen'],
  access: {
    keys: ['API keys', 'API-Schlüssel'],
    clients: ['OAuth clients', 'OAuth-Clients'],
    accessTokens: ['Access tokens of clients', 'Zugriffstokens von Clients'],
    tokens: ['Page tokens', 'Seitentokens'],
    previews: ['Previews', 'Vorschauen'],
  },
  revoke: ['Revoke', 'Widerrufen'],
  show: ['Show', 'Zeigen'],
  shown: {
    changed: ['Only changed', 'Nur geänderte'],
    all: ['Also of the content system', 'Auch die des Inhaltssystems'],
  },
  reset: ['Reset', 'Zurücksetzen'],
  configuration: ['Configuration of the process', 'Konfiguration des Prozesses'],
  aboutConfiguration: [
    'These are set where hcd runs: in hcd.toml or the environment. A restart applies them.',
    'Diese Werte stehen dort, wo hcd läuft: in hcd.toml oder der Umgebung. Sie gelten nach einem Neustart.',
  ],
  auditOff: [
    'Requests to the gateway are not recorded now; changes from Studio are.',
    'Anfragen an das Gateway werden zurzeit nicht aufgezeichnet; Änderungen aus Studio schon.',
  ],
  auditOn: ['Record requests from now on', 'Anfragen ab jetzt aufzeichnen'],
  orders: {
    '-editedon': ['Last edited first', 'Zuletzt bearbeitete zuerst'],
    pagetitle: ['By title', 'Nach Titel'],
    menuindex: ['By menu order', 'Nach Menü'],
    '-id': ['Newest first', 'Neueste zuerst'],
  },
  more: ['Field=value or field[operator]=value', 'Feld=Wert oder Feld[Operator]=Wert'],
  create: ['New resource', 'Neue Ressource'],
  delete: ['Delete', 'Löschen'],
  restore: ['Restore', 'Wiederherstellen'],
  tvs: ['Template variables', 'Template-Variablen'],
  moreFields: ['More fields', 'Weitere Felder'],
} as const satisfies Table;
