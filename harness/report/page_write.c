// SPDX-License-Identifier: MIT
// What stands around a document in a file of its own.
#include <string.h>

#include "report/write/escape.h"
#include "report/report_page.h"

extern const char page_css[], page_js[];

static const char *title_of(const struct document *document)
{
    return document->count && document->blocks[0].text ? document->blocks[0].text : "";
}

void page_write_html(const struct document *document, const char *database, const char *head, FILE *stream)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n",
          stream);
    fprintf(stream, "%s<title>", head);
    html_text(title_of(document), stream);
    fprintf(stream, "</title>\n<style>\n%s</style>\n</head>\n<body", page_css);
    html_attribute("data-database", database, stream);
    fputs(">\n<main>\n", stream);
    doc_write_html(document, stream);
    fprintf(stream,
            "</main>\n<aside id=\"trace\" role=\"dialog\" aria-labelledby=\"trace-title\" tabindex=\"-1\" "
            "hidden></aside>\n<script>\n%s</script>\n</body>\n</html>\n",
            page_js);
}

void page_write_latex(const struct document *document, FILE *stream)
{
    fputs("\\documentclass[10pt,a4paper]{article}\n"
          "\\usepackage{array}\n\\usepackage{booktabs}\n\\usepackage{longtable}\n\\usepackage{graphicx}\n"
          "\\setlength{\\textwidth}{510pt}\\setlength{\\oddsidemargin}{-28pt}\\setlength{\\evensidemargin}{-28pt}\n"
          "\\setlength{\\topmargin}{-40pt}\\setlength{\\textheight}{700pt}\n\\emergencystretch=3em\n"
          "\\newcommand{\\drawn}[2]{\\sbox0{\\includegraphics{#1}}\\ifdim\\wd0>340pt\n"
          "\\par\\noindent\\begin{minipage}[t]{\\linewidth}\\centering\\includegraphics[width=.75\\linewidth]{#1}"
          "\\par\\footnotesize "
          "#2\\end{minipage}\\par\\medskip\n"
          "\\else\\leavevmode\\begin{minipage}[t]{.32\\linewidth}\\centering\\includegraphics[width=\\linewidth]{#1}\n"
          "\\par\\footnotesize #2\\medskip\\end{minipage}\\hskip.015\\linewidth\\penalty0\\relax\\fi}\n"
          "\\begin{document}\n",
          stream);
    doc_write_latex(document, stream);
    fputs("\\end{document}\n", stream);
}
