// SPDX-License-Identifier: MIT
// report.tex: all tables and figures of a paper in one document, as they lie in the folder.
#include <string.h>

#include "report/escape.h"
#include "report/report_page.h"

static void put_figure(const struct page_picture *picture, FILE *stream)
{
    const char *suffix = page_picture_suffix(picture, "pdf");
    if (!suffix[0])
        suffix = page_picture_suffix(picture, "png");
    if (!suffix[0])
        return;
    fprintf(stream, "\\begin{figure}[htbp]\\centering\n\\includegraphics[width=0.8\\linewidth]{%s.%s}\n\\caption{",
            picture->stem, suffix);
    latex_text(picture->heading, stream);
    fputs("}\n\\end{figure}\n", stream);
}

static void put_table(const struct report_table *table, FILE *stream)
{
    if (!table->panel_count)
        return;
    fputs("\\section{", stream);
    latex_text(table->definition->title, stream);
    fprintf(stream, "}\n\\input{tables/%s}\n", table->definition->id);
}

void page_write_latex(const struct report_page *page, FILE *stream)
{
    const struct published *published = page->paper->published;
    fputs("% All tables and figures of this folder: pdflatex report.tex\n"
          "\\documentclass[10pt,a4paper]{article}\n"
          "\\usepackage{array}\n\\usepackage{booktabs}\n\\usepackage{longtable}\n\\usepackage{graphicx}\n"
          "\\setlength{\\textwidth}{510pt}\\setlength{\\oddsidemargin}{-28pt}\\setlength{\\evensidemargin}{-28pt}\n"
          "\\setlength{\\topmargin}{-40pt}\\setlength{\\textheight}{700pt}\n"
          "\\setlength{\\LTcapwidth}{\\textwidth}\n\\emergencystretch=3em\n\\title{",
          stream);
    latex_text(published->title[0] ? published->title : page->paper->id, stream);
    fputs(": measured beside published}\n\\author{}\n\\date{}\n\\begin{document}\n\\maketitle\n\\noindent ", stream);
    latex_text(published->authors, stream);
    fputs(published->authors[0] && published->venue[0] ? ", " : "", stream);
    latex_text(published->venue, stream);
    fputs(". Measured values are from the database ", stream);
    latex_text(page->request->database, stream);
    fputs(".\n", stream);
    if (page->claims && page->claims->count)
        fputs("\\section{Claims}\n\\input{claims}\n", stream);
    for (size_t i = 0; i < page->table_count; ++i)
        put_table(page->tables[i], stream);
    if (page->picture_count)
        fputs("\\clearpage\n\\section{Figures}\n", stream);
    for (size_t i = 0; i < page->picture_count; ++i) {
        put_figure(&page->pictures[i], stream);
        if (i % 4 == 3)
            fputs("\\clearpage\n", stream);
    }
    fputs("\\end{document}\n", stream);
}
