/** Texts of the window's menus, the tray, notifications and dialogs in Portuguese (Brazil). */
import { countedIn } from './counted.ts';
import type { Text } from './en.ts';

const counted = countedIn('pt-BR');

export const pt: Text = {
  file: 'Arquivo',
  edit: 'Editar',
  view: 'Exibir',
  help: 'Ajuda',
  undo: 'Desfazer',
  redo: 'Refazer',
  cut: 'Recortar',
  copy: 'Copiar',
  paste: 'Colar',
  selectAll: 'Selecionar tudo',
  closeWindow: 'Fechar janela',
  zoomIn: 'Aproximar',
  zoomOut: 'Afastar',
  resetZoom: 'Tamanho real',
  fullScreen: 'Tela cheia',
  devTools: 'Ferramentas do desenvolvedor',
  about: 'Sobre o Enlarger',
  addFiles: 'Adicionar fotos…',
  addFolder: 'Adicionar pasta…',
  recentFolders: 'Pastas recentes',
  clearRecent: 'Limpar',
  start: 'Iniciar',
  pause: 'Pausar a fila',
  resume: 'Retomar a fila',
  whenDone: 'Quando a fila terminar',
  endings: { nothing: 'Não fazer nada', quit: 'Sair do Enlarger', sleep: 'Suspender' },
  staysInTray: 'Continuar trabalhando com a janela fechada',
  notifies: 'Avisar ao terminar',
  removeSelected: 'Remover a seleção',
  undoRemoval: 'Desfazer a remoção',
  retryFailed: 'Repetir as com erro',
  removeFinished: 'Remover as concluídas',
  settings: 'Ajustes…',
  models: 'Modelos…',
  watch: 'Pastas monitoradas…',
  connect: 'Conectar programas…',
  apiDocs: 'Documentação da API',
  shortcuts: 'Atalhos de teclado',
  show: 'Mostrar o Enlarger',
  quit: 'Sair do Enlarger',
  idle: 'Nada a fazer',
  watching: (folders) =>
    counted(folders, {
      one: `${folders} pasta monitorada`,
      other: `${folders} pastas monitoradas`,
    }),
  paused: (waiting) => `Em pausa, ${waiting} na espera`,
  working: (ended, all, percent) => `${ended} de ${all} concluídas, ${percent}%`,
  batchTitle: (failed) => (failed === 0 ? 'As fotos estão prontas' : 'Terminado, com erros'),
  batchBody: (finished, failed) =>
    [
      finished > 0
        ? counted(finished, {
            one: `${finished} foto concluída`,
            other: `${finished} fotos concluídas`,
          })
        : '',
      failed > 0 ? `${failed} com erro` : '',
    ]
      .filter((part) => part !== '')
      .join(', '),
  hidden: 'O Enlarger continua trabalhando. A janela está atrás do ícone na bandeja.',
  endingSoon: {
    quit: (seconds) => `O Enlarger será fechado em ${seconds} segundos.`,
    sleep: (seconds) => `Este computador será suspenso em ${seconds} segundos.`,
  },
  updates: 'Procurar atualizações',
  betas: 'Incluir versões beta',
  mayUpdate: 'O Enlarger pode procurar atualizações?',
  mayUpdateDetail:
    'Ele pergunta ao GitHub uma vez por dia se há versões novas e não envia nada sobre você nem suas fotos. Nada mais no Enlarger fica online sozinho. Você pode mudar isso no menu Ajuda.',
  allow: 'Procurar atualizações',
  deny: 'Nunca',
  updateReady: (version) => `O Enlarger ${version} está pronto.`,
  restart: 'Reiniciar agora',
  later: 'Ao sair',
  now: 'Agora',
  cancel: 'Cancelar',
  crashed: 'A janela tinha parado e foi aberta de novo.',
  crashedAgain: 'A janela parou várias vezes em um minuto.',
  queueGoesOn: 'A fila continua: nenhuma tarefa se perde.',
  unresponsive: 'A janela não responde.',
  reload: 'Recarregar',
  wait: 'Esperar',
};
